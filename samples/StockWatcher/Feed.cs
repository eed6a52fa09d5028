using System.Globalization;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;

namespace ApexShop.StockWatcher;

/// <summary>The shop's event log over HTTP: all events, from any position.</summary>
internal sealed class Feed : IDisposable
{
    private readonly HttpClient http;

    public Feed(Uri shop, string key)
    {
        http = new HttpClient { BaseAddress = shop };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
    }

    /// <summary>The products' events after a position, to the current end of the log, one at a time.</summary>
    public async IAsyncEnumerable<ShopEvent> ReadAsync(long after, [EnumeratorCancellation] CancellationToken ct)
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/events?resource=products&after={after}");
        using var response = await http.GetAsync(
            new Uri(path, UriKind.Relative), HttpCompletionOption.ResponseHeadersRead, ct);
        response.EnsureSuccessStatusCode();
        // A log that ends before this position was restored from a backup: its positions will be given to other events.
        var head = long.Parse(response.Headers.GetValues("Log-Head").Single(), CultureInfo.InvariantCulture);
        if (head < after)
        {
            throw new InvalidOperationException(
                $"The log ends at {head}, before position {after} of the state: delete the state and start again.");
        }

        using var lines = new StreamReader(await response.Content.ReadAsStreamAsync(ct));
        while (await lines.ReadLineAsync(ct) is { } line) yield return ShopEvent.OfLine(line);
    }

    public void Dispose() => http.Dispose();
}
