using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json;

namespace ApexShop.Load;

/// <summary>
/// The delay between a write and what the query API shows: a new product, a changed product that is cached, and a
/// cached page with it. One pair at a time, on a shop that is idle except for the benchmark's own load. The reader
/// polls every millisecond, so the figure includes the time of one GET and of one pause.
/// </summary>
internal static class WriteToReadLatency
{
    // JIT compilation in the measuring process would count as the shop's time.
    private const int WarmUp = 200;

    private static readonly TimeSpan limit = TimeSpan.FromSeconds(10);

    // A reader that polls without a pause would take processor time from the shop.
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(1);

    public static async Task RunAsync(Shop shop, int pairs, TextWriter output, CancellationToken ct)
    {
        using var commands = shop.Client(shop.Commands);
        using var queries = shop.Client(shop.Queries);
        var category = await AnyCategoryAsync(queries, ct);

        var fromRequest = new List<double>();
        var fromResponse = new List<double>();
        var created = new List<int>();
        for (var pair = -WarmUp; pair < pairs; pair++)
        {
            var (id, sent, answered) = await PostAsync(commands, category, ct);
            created.Add(id);
            var path = $"/products/{id}";
            await VisibleAsync(path, () => ExistsAsync(queries, path, ct), answered, ct);
            if (pair < 0) continue;
            fromRequest.Add(Stopwatch.GetElapsedTime(sent).TotalMilliseconds);
            fromResponse.Add(Stopwatch.GetElapsedTime(answered).TotalMilliseconds);
        }

        await output.WriteLineAsync($"{pairs} products, one at a time, until GET /products/{{id}} shows them:");
        await output.WriteLineAsync(Line("POST sent     -> visible", fromRequest));
        await output.WriteLineAsync(Line("POST answered -> visible", fromResponse));
        var changes = new ChangeToReadLatency(commands, queries, category, created[^1]);
        await changes.RunAsync("GET /products/{id}", $"/products/{created[^1]}", pairs, output, ct);
        await changes.RunAsync("a page", $"/products/cursor?pageSize=20&afterId={created[^1] - 1}", pairs, output, ct);
        foreach (var id in created) (await commands.DeleteAsync($"/products/{id}", ct)).EnsureSuccessStatusCode();
    }

    /// <summary>The same beside 200 writes and 2,000 reads a second.</summary>
    public static async Task RunBusyAsync(Shop shop, int pairs, TextWriter output, CancellationToken ct)
    {
        await using var load = await ShopLoad.StartAsync(shop, ct);
        await RunAsync(shop, pairs, output, ct);
        await output.WriteLineAsync(await load.StopAsync());
    }

    internal static async Task<int> AnyCategoryAsync(HttpClient queries, CancellationToken ct)
    {
        var page = await queries.GetFromJsonAsync<JsonElement>("/categories/cursor?pageSize=1", ct);
        return page.GetProperty("data")[0].GetProperty("id").GetInt32();
    }

    internal static async Task<(int Id, long Sent, long Answered)> PostAsync(
        HttpClient commands, int category, CancellationToken ct)
    {
        var body = new
        {
            name = "Latency probe", description = "Made by the benchmark", price = 9.99m, stock = 1,
            categoryId = category,
        };
        var sent = Stopwatch.GetTimestamp();
        using var response = await commands.PostAsJsonAsync("/products", body, ct);
        var answered = Stopwatch.GetTimestamp();
        response.EnsureSuccessStatusCode();
        var id = (await response.Content.ReadFromJsonAsync<JsonElement>(ct)).GetProperty("id").GetInt32();
        return (id, sent, answered);
    }

    /// <summary>Polls until a path shows the write.</summary>
    internal static async Task VisibleAsync(string path, Func<Task<bool>> isVisible, long since, CancellationToken ct)
    {
        while (Stopwatch.GetElapsedTime(since) < limit)
        {
            if (await isVisible()) return;
            await Task.Delay(pause, ct);
        }

        throw new TimeoutException(
            $"{path} did not show the write within {limit.TotalSeconds} s; ./apexshop status shows the delay.");
    }

    private static async Task<bool> ExistsAsync(HttpClient queries, string path, CancellationToken ct)
    {
        using var response = await queries.GetAsync(path, ct);
        if (response.StatusCode == HttpStatusCode.NotFound) return false;
        response.EnsureSuccessStatusCode();
        return true;
    }

    internal static string Line(string what, List<double> milliseconds)
    {
        var (median, p99) = (Statistics.Median(milliseconds), Statistics.Percentile(milliseconds, 0.99));
        return FormattableString.Invariant(
            $"  {what}: p50 {median:0.0} ms, p99 {p99:0.0} ms, max {milliseconds.Max():0.0} ms");
    }
}
