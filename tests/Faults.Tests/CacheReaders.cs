using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;

namespace ApexShop.Faults.Tests;

/// <summary>
/// Readers of a few products through every Queries.Api, without a token: what they get is mostly from the cache. Once a
/// process has shown a version it must never show an earlier one.
/// </summary>
internal sealed class CacheReaders(IReadOnlyList<ShopProcess> queries, IReadOnlyList<int> products)
{
    private readonly ConcurrentDictionary<(ShopProcess, int), long> shown = new();
    private int answers;
    private int lost;

    public int Answers => Volatile.Read(ref answers);

    /// <summary>Requests without an answer, or refused for the time being.</summary>
    public int Lost => Volatile.Read(ref lost);

    public ConcurrentQueue<string> WentBack { get; } = new();

    public Task RunAsync(CancellationToken ct) => Task.WhenAll(queries.Select(process => RunAsync(process, ct)));

    /// <summary>The version that a process shows now; 0 where it shows none.</summary>
    public static async Task<long> VersionAsync(ShopProcess process, int product)
    {
        try
        {
            using var answer = await process.Http.GetAsync($"/{Resource.Products.Name}/{product}");
            if (answer.StatusCode != HttpStatusCode.OK) return 0;
            return (long)(await answer.Content.ReadFromJsonAsync<JsonNode>())!["version"]!;
        }
        catch (Exception gone) when (gone is HttpRequestException or IOException)
        {
            return 0;
        }
    }

    private async Task RunAsync(ShopProcess process, CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            foreach (var product in products) await LookAsync(process, product);
            await Task.Delay(10, CancellationToken.None);
        }
    }

    private async Task LookAsync(ShopProcess process, int product)
    {
        var version = await VersionAsync(process, product);
        if (version == 0)
        {
            Interlocked.Increment(ref lost);
            return;
        }

        Interlocked.Increment(ref answers);
        var before = shown.GetValueOrDefault((process, product));
        if (version < before) WentBack.Enqueue($"{process.Name}: product {product} was {before} and is {version}");
        shown[(process, product)] = Math.Max(before, version);
    }
}
