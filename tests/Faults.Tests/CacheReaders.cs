using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;

namespace ApexShop.Faults.Tests;

/// <summary>
/// Readers of a few products through every Queries.Api, without a token: most responses come from the cache. After a
/// process has shown a version it must never show an earlier one.
/// </summary>
internal sealed class CacheReaders(IReadOnlyList<ShopProcess> queries, IReadOnlyList<int> products)
{
    private readonly ConcurrentDictionary<(ShopProcess, int), long> shown = new();
    private int responses;
    private int lost;

    public int Responses => Volatile.Read(ref responses);

    /// <summary>Requests without a response, or with a temporary error.</summary>
    public int Lost => Volatile.Read(ref lost);

    public ConcurrentQueue<string> WentBack { get; } = new();

    public Task RunAsync(CancellationToken ct) => Task.WhenAll(queries.Select(process => RunAsync(process, ct)));

    /// <summary>The version that a process serves now; 0 without one.</summary>
    public static async Task<long> VersionAsync(ShopProcess process, int product)
    {
        try
        {
            using var response = await process.Http.GetAsync($"/{Resource.Products.Name}/{product}");
            if (response.StatusCode != HttpStatusCode.OK) return 0;
            return (long)(await response.Content.ReadFromJsonAsync<JsonNode>())!["version"]!;
        }
        catch (Exception gone) when (ShopProcess.IsDisconnect(gone))
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

        Interlocked.Increment(ref responses);
        var before = shown.GetValueOrDefault((process, product));
        if (version < before) WentBack.Enqueue($"{process.Name}: product {product} was {before} and is {version}");
        shown[(process, product)] = Math.Max(before, version);
    }
}
