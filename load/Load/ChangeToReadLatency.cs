using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Json;

namespace ApexShop.Load;

/// <summary>The delay between a PUT of a product and a cached response that shows its new price.</summary>
internal sealed class ChangeToReadLatency(HttpClient commands, HttpClient queries, int category, int id)
{
    private const int WarmUp = 50;

    private int price;

    /// <summary>Measures pairs of a PUT and the GETs that follow it until one shows the change.</summary>
    public async Task RunAsync(string what, string path, int pairs, TextWriter output, CancellationToken ct)
    {
        var fromRequest = new List<double>();
        var fromResponse = new List<double>();
        for (var pair = -WarmUp; pair < pairs; pair++)
        {
            // The response before the change is in the cache.
            (await queries.GetAsync(path, ct)).EnsureSuccessStatusCode();
            var sent = Stopwatch.GetTimestamp();
            var shown = await PutAsync(ct);
            var answered = Stopwatch.GetTimestamp();
            await WriteToReadLatency.VisibleAsync(
                path,
                async () => (await queries.GetStringAsync(path, ct)).Contains(shown, StringComparison.Ordinal),
                answered,
                ct);
            if (pair < 0) continue;
            fromRequest.Add(Stopwatch.GetElapsedTime(sent).TotalMilliseconds);
            fromResponse.Add(Stopwatch.GetElapsedTime(answered).TotalMilliseconds);
        }

        await output.WriteLineAsync($"{pairs} changes of a product, one at a time, until {what} shows them:");
        await output.WriteLineAsync(WriteToReadLatency.Line("PUT sent     -> visible", fromRequest));
        await output.WriteLineAsync(WriteToReadLatency.Line("PUT answered -> visible", fromResponse));
    }

    private async Task<string> PutAsync(CancellationToken ct)
    {
        // No other product has such a price.
        var changed = 7_000_000m + (++price / 100m);
        var body = new
        {
            name = "Latency probe", description = "Made by the benchmark", price = changed, stock = 1,
            categoryId = category,
        };
        using var response = await commands.PutAsJsonAsync($"/products/{id}", body, ct);
        response.EnsureSuccessStatusCode();
        return string.Create(CultureInfo.InvariantCulture, $"{changed:0.00}");
    }
}
