using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Caching;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Micro;

/// <summary>What memory responses of 10,000 documents and pages: found, not there, and kept again.</summary>
[MemoryDiagnoser]
public class Cache
{
    private const int Count = 10_000;
    private const string List = "products/cursor";

    private readonly ServiceProvider services = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly CachedResponse response = new(Samples.Json(17), "\"3.1.17\"");
    private readonly TagFence fence = new(TimeProvider.System);
    private readonly int[] slots;
    private readonly MemoryCache<long> documents;
    private readonly MemoryCache<string> pages;
    private int next;

    public Cache()
    {
        var metrics = new CacheMetrics(services.GetRequiredService<IMeterFactory>(), fence);
        var options = Options.Create(new CachingOptions());
        slots = [fence.SlotOf("products:17"), fence.SlotOf("products")];
        documents = new(64, fence, options, metrics, TimeProvider.System);
        pages = new(64, fence, options, metrics, TimeProvider.System);
    }

    [GlobalSetup]
    public void Fill()
    {
        // After one probe has come back the fence is live: entries are then kept for minutes.
        // Far ahead: no other probe follows during the measurements.
        fence.Receive($"? 0 0 {fence.NextProbe(long.MaxValue / 2)}");
        for (var id = 0; id < Count; id++)
        {
            documents.Store(id, response, fence.Mark(), slots);
            pages.Store($"{List}?page={id}", response, fence.Mark(), slots);
        }

        if (!DocumentFound() || !PageFound() || DocumentNotThere())
            throw new InvalidOperationException("The memory is not what is measured.");
    }

    [GlobalCleanup]
    public void Empty() => services.Dispose();

    [Benchmark(Baseline = true)]
    public bool DocumentFound() => documents.Find(next++ % Count) is not null;

    [Benchmark]
    public bool DocumentNotThere() => documents.Find(-1L - next++) is not null;

    [Benchmark]
    public bool PageFound() => pages.Find((List + "?page=17").AsSpan()) is not null;

    [Benchmark]
    public void DocumentKept() => documents.Store(next++ % Count, response, fence.Mark(), slots);

    [Benchmark]
    public void ChangeHeard() => fence.Receive("0 0 products:17 products categories:7:products");
}
