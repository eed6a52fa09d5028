using ApexShop.Queries.Api.Caching;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class SingleFlightTests
{
    private const string Key = "products/v2";

    private static readonly CachedResponse answer = CachedResponse.Of("[]"u8.ToArray());

    private readonly SingleFlight<CachedResponse?> flights = new(new TagFence(TimeProvider.System, 1));
    private readonly List<TaskCompletionSource<CachedResponse?>> reads = [];
    private readonly List<CancellationToken> tokens = [];

    [Fact]
    public async Task All_callers_with_the_same_key_wait_for_one_read()
    {
        Task<CachedResponse?>[] all = [.. Enumerable.Range(0, 50).Select(_ => JoinAsync())];
        reads.Count.ShouldBe(1);
        reads[0].SetResult(answer);
        (await Task.WhenAll(all)).ShouldAllBe(got => got == answer);

        _ = JoinAsync();
        reads.Count.ShouldBe(2, "a completed read is not joined");
    }

    [Fact]
    public async Task Another_key_is_another_read()
    {
        _ = JoinAsync();
        _ = flights.RunAsync("orders/v2", _ => true, ReadAsync, CancellationToken.None);
        reads.Count.ShouldBe(2);
        await Task.CompletedTask;
    }

    [Fact]
    public async Task A_leader_that_leaves_does_not_end_the_read_of_the_others()
    {
        using var gone = new CancellationTokenSource();
        var leader = JoinAsync(gone.Token);
        var other = JoinAsync();
        await gone.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(() => leader);
        tokens[0].IsCancellationRequested.ShouldBeFalse();
        reads[0].SetResult(answer);
        (await other).ShouldBe(answer);
    }

    [Fact]
    public async Task The_last_caller_that_leaves_ends_the_read()
    {
        using var gone = new CancellationTokenSource();
        Task<CachedResponse?>[] all = [JoinAsync(gone.Token), JoinAsync(gone.Token)];
        await gone.CancelAsync();

        foreach (var one in all) await Should.ThrowAsync<OperationCanceledException>(() => one);
        tokens[0].IsCancellationRequested.ShouldBeTrue();
        var later = JoinAsync();
        reads.Count.ShouldBe(2, "a cancelled read is not joined");
        reads[1].SetResult(answer);
        (await later).ShouldBe(answer);
    }

    [Fact]
    public async Task A_read_that_fails_fails_its_leader_and_the_others_read_once_more_together()
    {
        var leader = JoinAsync();
        Task<CachedResponse?>[] others = [JoinAsync(), JoinAsync(), JoinAsync()];
        reads[0].SetException(new TimeoutException("first"));

        (await Should.ThrowAsync<TimeoutException>(() => leader)).Message.ShouldBe("first");
        await TestKit.Eventually.Holds(() => reads.Count == 2, "the second read");
        reads[1].SetResult(answer);
        (await Task.WhenAll(others)).ShouldAllBe(got => got == answer);
    }

    [Fact]
    public async Task A_second_failure_is_thrown_to_all()
    {
        _ = JoinAsync();
        var other = JoinAsync();
        reads[0].SetException(new TimeoutException("first"));
        await TestKit.Eventually.Holds(() => reads.Count == 2, "the second read");
        reads[1].SetException(new TimeoutException("second"));
        (await Should.ThrowAsync<TimeoutException>(() => other)).Message.ShouldBe("second");
    }

    private Task<CachedResponse?> JoinAsync(CancellationToken ct = default) =>
        flights.RunAsync(Key, _ => true, ReadAsync, ct);

    private Task<CachedResponse?> ReadAsync(CancellationToken ct)
    {
        var read = new TaskCompletionSource<CachedResponse?>();
        tokens.Add(ct);
        reads.Add(read);
        return read.Task;
    }
}
