using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace ApexShop.Events.Client.Receiving;

/// <summary>The log was restored, and no longer has the events up to the consumer's position.</summary>
internal sealed class LogReplacedException(string message) : Exception(message);

/// <summary>The shop's event log over HTTP.</summary>
internal sealed class EventFeed : IDisposable
{
    private readonly HttpClient http;

    public EventFeed(Uri shop, string key)
    {
        http = new HttpClient { BaseAddress = shop };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
    }

    /// <summary>
    /// Reads a resource's events after a position of the log with this identity, to the current end of the log. Old
    /// ones that later ones replace may have been removed.
    /// </summary>
    /// <exception cref="LogReplacedException">The position is not one of the current log.</exception>
    public async Task<Response> ReadAsync(
        string resource, string? log, long after, bool isCompacted, CancellationToken ct)
    {
        var path = string.Create(
            CultureInfo.InvariantCulture, $"events?resource={resource}&after={after}&incomplete=true");
        if (log is not null) path += $"&log={log}";
        if (isCompacted) path += "&compacted=true";
        var response = await http.GetAsync(
            new Uri(path, UriKind.Relative), HttpCompletionOption.ResponseHeadersRead, ct);
        if (response.IsSuccessStatusCode) return new Response(response, http.Timeout);
        using (response)
        {
            var problem = $"GET {path}: {(int)response.StatusCode} {await response.Content.ReadAsStringAsync(ct)}";
            throw response.StatusCode == HttpStatusCode.Gone
                ? new LogReplacedException(problem)
                : new HttpRequestException(problem);
        }
    }

    public void Dispose() => http.Dispose();

    /// <summary>The identity of the log now, and its events, one at a time.</summary>
    internal sealed class Response(HttpResponseMessage response, TimeSpan limit) : IDisposable
    {
        public string Log { get; } = response.Headers.GetValues("Log-Id").Single();

        public async IAsyncEnumerable<JsonElement> EventsAsync([EnumeratorCancellation] CancellationToken ct)
        {
            using var lines = new StreamReader(await response.Content.ReadAsStreamAsync(ct));
            // The client's own limit ends with the headers; a connection that hangs must not be waited for.
            while (await lines.ReadLineAsync(ct).AsTask().WaitAsync(limit, ct) is { } line)
            {
                var json = JsonElement.Parse(line);
                // The last line of an interrupted response.
                if (json.TryGetProperty("error", out var error)) throw new IOException($"The log ended: {error}");
                yield return json;
            }
        }

        public void Dispose() => response.Dispose();
    }
}
