using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class QueuedFlightTests
{
    private const string Key = "products count";

    private readonly QueuedFlight<int> flights = new();
    private readonly List<TaskCompletionSource<int>> reads = [];
    private readonly List<CancellationToken> tokens = [];

    [Fact]
    public async Task Callers_that_come_during_a_read_share_the_next_one_which_begins_after_they_came()
    {
        var first = AskAsync();
        Task<int>[] others = [.. Enumerable.Range(0, 50).Select(_ => AskAsync())];
        reads.Count.ShouldBe(1, "the others wait");
        reads[0].SetResult(1);
        (await first).ShouldBe(1);

        await Eventually.Holds(() => reads.Count == 2, "the second read");
        reads[1].SetResult(2);
        (await Task.WhenAll(others)).ShouldAllBe(got => got == 2);
        _ = AskAsync();
        reads.Count.ShouldBe(3, "nothing waits any more");
    }

    [Fact]
    public async Task Another_key_does_not_wait()
    {
        _ = AskAsync();
        _ = flights.RunAsync("orders count", ReadAsync, CancellationToken.None);
        reads.Count.ShouldBe(2);
        await Task.CompletedTask;
    }

    [Fact]
    public async Task A_failed_read_fails_its_leader_and_the_callers_that_waited_read_after_it()
    {
        var leader = AskAsync();
        Task<int>[] others = [AskAsync(), AskAsync()];
        reads[0].SetException(new TimeoutException("first"));
        await Should.ThrowAsync<TimeoutException>(() => leader);

        await Eventually.Holds(() => reads.Count == 2, "the second read");
        reads[1].SetResult(2);
        (await Task.WhenAll(others)).ShouldAllBe(got => got == 2);
    }

    [Fact]
    public async Task A_read_whose_callers_have_all_left_does_not_begin()
    {
        using var gone = new CancellationTokenSource();
        var first = AskAsync();
        Task<int>[] left = [AskAsync(gone.Token), AskAsync(gone.Token)];
        await gone.CancelAsync();
        foreach (var one in left) await Should.ThrowAsync<OperationCanceledException>(() => one);

        var later = AskAsync();
        reads[0].SetResult(1);
        (await first).ShouldBe(1);
        await Eventually.Holds(() => reads.Count == 2, "the second read");
        tokens[1].IsCancellationRequested.ShouldBeFalse();
        reads[1].SetResult(2);
        (await later).ShouldBe(2);
        reads.Count.ShouldBe(2);
    }

    [Fact]
    public async Task The_last_caller_that_leaves_ends_the_read()
    {
        using var gone = new CancellationTokenSource();
        var only = AskAsync(gone.Token);
        await gone.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(() => only);
        tokens[0].IsCancellationRequested.ShouldBeTrue();
    }

    [Fact]
    public void Readers_with_a_token_share_the_next_read_of_their_page() => Pump.Run(pump =>
    {
        var clock = new ManualClock();
        var process = new ModelProcess(new ModelShop(clock), clock);
        Task[] asked = [.. Enumerable.Range(0, 10).Select(_ => process.AskAsync([0], isFresh: true))];
        pump.Settle();
        process.Reads.Count.ShouldBe(1, "one begins, the others wait for the next one");

        var begun = 1;
        for (; process.Reads.Count > 0; begun++)
        {
            var read = process.Reads[0];
            process.Reads.RemoveAt(0);
            read();
            pump.Settle();
        }

        // Each of the two reads has two steps.
        begun.ShouldBe(1 + (2 * 2));
        asked.ShouldAllBe(task => task.IsCompletedSuccessfully);
    });

    private Task<int> AskAsync(CancellationToken ct = default) => flights.RunAsync(Key, ReadAsync, ct);

    private Task<int> ReadAsync(CancellationToken ct)
    {
        var read = new TaskCompletionSource<int>();
        tokens.Add(ct);
        reads.Add(read);
        return read.Task;
    }
}
