using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;

namespace ApexShop.StockWatcher;

/// <summary>The log was restored, and no longer has the events that the state was made from.</summary>
internal sealed class LogReplacedException(string message) : Exception(message);

/// <summary>The shop's event log over HTTP: all events, from any position.</summary>
internal sealed class Feed : IDisposable
{
    private readonly HttpClient http;

    public Feed(Uri shop, string key)
    {
        http = new HttpClient { BaseAddress = shop };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
    }

    /// <summary>
    /// Reads the products' events after a position of the log with this identity, to the current end of the log.
    /// </summary>
    /// <exception cref="LogReplacedException">The position is not one of the current log.</exception>
    public async Task<Response> ReadAsync(string? log, long after, CancellationToken ct)
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/events?resource=products&after={after}&log={log}");
        // Without an identity the position is 0, or was stored before events had one.
        if (log is null) path = path[..path.LastIndexOf('&')];
        var response = await http.GetAsync(
            new Uri(path, UriKind.Relative), HttpCompletionOption.ResponseHeadersRead, ct);
        if (response.StatusCode == HttpStatusCode.Gone)
        {
            using (response) throw new LogReplacedException(await response.Content.ReadAsStringAsync(ct));
        }

        response.EnsureSuccessStatusCode();
        return new Response(response);
    }

    public void Dispose() => http.Dispose();

    /// <summary>The identity of the log now, and its events, one at a time.</summary>
    internal sealed class Response(HttpResponseMessage response) : IDisposable
    {
        public string Log { get; } = response.Headers.GetValues("Log-Id").Single();

        public async IAsyncEnumerable<ShopEvent> EventsAsync([EnumeratorCancellation] CancellationToken ct)
        {
            using var lines = new StreamReader(await response.Content.ReadAsStreamAsync(ct));
            while (await lines.ReadLineAsync(ct) is { } line) yield return ShopEvent.OfLine(line);
        }

        public void Dispose() => response.Dispose();
    }
}
