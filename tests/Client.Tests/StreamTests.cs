using System.Collections.Concurrent;
using ApexShop.TestKit;

namespace ApexShop.Client.Tests;

/// <summary>A stream that stops in the middle.</summary>
[Collection(ClientShop.Suite)]
public sealed class StreamTests(ClientShop running) : IAsyncLifetime
{
    private readonly Timers timers = new();
    private readonly TaskCompletionSource go = new();
    private FaultProxy queries = null!;
    private ShopClient client = null!;

    public async Task InitializeAsync()
    {
        queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        client = running.Open(queries: queries, clock: timers);
    }

    public async Task DisposeAsync()
    {
        go.TrySetResult();
        client.Dispose();
        await queries.DisposeAsync();
    }

    [Fact]
    public async Task It_ends_when_no_byte_arrives_for_a_minute()
    {
        await using var stream = await ReadToPauseAsync(default);
        // The time that the caller spends with a document does not count.
        timers.Running.ShouldBeEmpty();

        var next = stream.MoveNextAsync().AsTask();
        await Eventually.Holds(() => timers.End() && next.IsCompleted, "the read ends");

        (await Should.ThrowAsync<TimeoutException>(next)).Message.ShouldContain("00:01:00 (StreamIdleTimeout)");
        timers.Running.ShouldBeEmpty();
    }

    [Fact]
    public async Task It_is_canceled_by_its_reader_before()
    {
        using var stop = new CancellationTokenSource();
        await using var stream = await ReadToPauseAsync(stop.Token);
        var next = stream.MoveNextAsync().AsTask();
        next.IsCompleted.ShouldBeFalse();
        await stop.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(next);
    }

    [Fact]
    public async Task It_ends_with_its_connection()
    {
        await using var stream = await ReadToPauseAsync(default);
        var next = stream.MoveNextAsync().AsTask();
        go.SetException(new IOException());

        await Should.ThrowAsync<IOException>(next);
    }

    [Theory]
    [InlineData(1, 3)]
    [InlineData(2, 2)]
    public async Task It_is_interrupted_when_it_ends_within_a_line(int missing, int complete)
    {
        var (category, products) = await running.StockAsync(client, 3);
        queries.Shorten(missing);
        var read = new List<int>();

        await Should.ThrowAsync<IOException>(async () =>
        {
            await foreach (var product in client.Products.StreamAsync(new() { CategoryId = [category] }))
                read.Add(product.Id);
        });

        read.ShouldBe(products.Take(complete));
    }

    private async Task<IAsyncEnumerator<Product>> ReadToPauseAsync(CancellationToken ct)
    {
        var (category, products) = await running.StockAsync(client, 5);
        queries.Pause(3, go.Task);
        var stream = client.Products.StreamAsync(new() { CategoryId = [category] }, cancellationToken: ct)
            .GetAsyncEnumerator(CancellationToken.None);
        for (var i = 0; i < 3; i++)
        {
            (await stream.MoveNextAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30), ct)).ShouldBeTrue();
            stream.Current.Id.ShouldBe(products[i]);
        }

        return stream;
    }

    /// <summary>A clock whose timers end only when a test ends them.</summary>
    private sealed class Timers : TimeProvider
    {
        private readonly ConcurrentDictionary<Timer, TimerCallback> running = [];

        public IEnumerable<object> Running => running.Keys;

        public bool End()
        {
            foreach (var (timer, end) in running) end(timer.State);
            return true;
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            var timer = new Timer(running, state);
            running[timer] = callback;
            return timer;
        }

        private sealed class Timer(ConcurrentDictionary<Timer, TimerCallback> running, object? state) : ITimer
        {
            public object? State => state;

            public bool Change(TimeSpan dueTime, TimeSpan period) => throw new NotSupportedException();

            public void Dispose() => running.TryRemove(this, out _);

            public ValueTask DisposeAsync()
            {
                Dispose();
                return ValueTask.CompletedTask;
            }
        }
    }
}
