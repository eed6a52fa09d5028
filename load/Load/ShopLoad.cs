using System.Diagnostics;
using System.Net.Http.Json;

namespace ApexShop.Load;

/// <summary>
/// A constant load of 200 writes and 2,000 reads a second beside a measurement: its own products are replaced, products
/// of the shop are read. It does not wait for responses, and every response must be good.
/// </summary>
internal sealed class ShopLoad : IAsyncDisposable
{
    private const int Products = 50;
    private const int TicksASecond = 50;
    private const int WritesATick = 4;
    private const int ReadsATick = 40;

    private readonly HttpClient commands;
    private readonly HttpClient queries;
    private readonly CancellationTokenSource stop = new();
    private readonly List<int> ids = [];
    private long began;
    private Task running = Task.CompletedTask;
    private int category;
    private int written;
    private int read;

    private ShopLoad(Shop shop) => (commands, queries) = (shop.Client(shop.Commands), shop.Client(shop.Queries));

    public static async Task<ShopLoad> StartAsync(Shop shop, CancellationToken ct)
    {
        var load = new ShopLoad(shop);
        load.category = await WriteToReadLatency.AnyCategoryAsync(load.queries, ct);
        while (load.ids.Count < Products)
            load.ids.Add((await WriteToReadLatency.PostAsync(load.commands, load.category, ct)).Id);
        load.began = Stopwatch.GetTimestamp();
        load.running = load.RunAsync();
        return load;
    }

    /// <summary>Stops the load and returns its summary; a failed request is an exception.</summary>
    public async Task<string> StopAsync()
    {
        var seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        await stop.CancelAsync();
        await running;
        return FormattableString.Invariant(
            $"  beside {written / seconds:0} writes and {read / seconds:0} reads a second, every response good");
    }

    public async ValueTask DisposeAsync()
    {
        await stop.CancelAsync();
        foreach (var id in ids) (await commands.DeleteAsync(new Uri($"/products/{id}", UriKind.Relative))).Dispose();
        commands.Dispose();
        queries.Dispose();
        stop.Dispose();
    }

    private async Task RunAsync()
    {
        var asked = new List<Task>();
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1.0 / TicksASecond));
        var ticks = 0;
        while (!stop.IsCancellationRequested && await timer.WaitForNextTickAsync())
        {
            asked.RemoveAll(one => one.IsCompletedSuccessfully);
            // A late tick sends the missed requests, too.
            for (var due = (int)(Stopwatch.GetElapsedTime(began).TotalSeconds * TicksASecond); ticks < due; ticks++)
            {
                asked.AddRange(Enumerable.Range(0, WritesATick).Select(_ => WriteAsync()));
                asked.AddRange(Enumerable.Range(0, ReadsATick).Select(_ => ReadAsync()));
            }
        }

        await Task.WhenAll(asked);
    }

    private async Task WriteAsync()
    {
        var body = new
        {
            name = "Load", description = "Made by the benchmark", price = written % 1_000_000 / 100m,
            categoryId = category, isActive = true, isFeatured = false,
        };
        using var response = await commands.PutAsJsonAsync($"/products/{ids[Random.Shared.Next(Products)]}", body);
        response.EnsureSuccessStatusCode();
        Interlocked.Increment(ref written);
    }

    // The page after an id exists for all ids.
    private async Task ReadAsync()
    {
        using var response = await queries.GetAsync(
            new Uri($"/products/cursor?afterId={Random.Shared.Next(10_000)}&pageSize=1", UriKind.Relative));
        response.EnsureSuccessStatusCode();
        Interlocked.Increment(ref read);
    }
}
