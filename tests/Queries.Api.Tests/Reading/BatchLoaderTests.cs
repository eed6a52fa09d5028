using System.Collections.Concurrent;
using ApexShop.TestKit;
using ApexShop.Queries.Api.Reading;

namespace ApexShop.Queries.Api.Tests.Reading;

public sealed class BatchLoaderTests
{
    // In the order in which the batches began.
    private readonly ConcurrentQueue<(int[] Ids, TaskCompletionSource<Dictionary<int, string>> Result)> begun = new();
    private readonly BatchLoader<int, string> loader;

    public BatchLoaderTests() => loader = BatchLoader.ByKey<int, string>(
        (ids, _) =>
        {
            var result = new TaskCompletionSource<Dictionary<int, string>>();
            begun.Enqueue((ids, result));
            return result.Task;
        },
        TimeSpan.FromMinutes(1));

    [Fact]
    public async Task Callers_that_come_before_a_batch_begins_or_while_batches_run_share_a_batch()
    {
        Task<string?>[] all = [.. await HoldBothAsync(), .. Enumerable.Range(3, 38).Select(id => AskAsync(id))];
        await AnswerAsync(0);
        (await StatementAsync(2)).Ids.ShouldBe(Enumerable.Range(3, 38), ignoreOrder: true);
        await AnswerAsync(1);
        await AnswerAsync(2);
        (await Task.WhenAll(all)).ShouldBe(Enumerable.Range(1, 40).Select(id => $"document {id}"));
    }

    [Fact]
    public async Task An_id_of_many_callers_is_read_once_and_never_by_a_batch_that_began_before_they_came()
    {
        var first = await HoldBothAsync();
        Task<string?>[] later = [AskAsync(1), AskAsync(1), AskAsync(1)];
        await AnswerAsync(0);
        (await StatementAsync(2)).Ids.ShouldBe([1]);
        later.ShouldAllBe(one => !one.IsCompleted);
        await AnswerAsync(1);
        await AnswerAsync(2);
        await Task.WhenAll([.. first, .. later]);
    }

    [Fact]
    public async Task The_callers_of_an_id_do_not_count_towards_the_size_of_a_batch()
    {
        var first = await HoldBothAsync();
        Task<string?>[] later = [.. Enumerable.Range(0, 1000).Select(_ => AskAsync(3)), AskAsync(4)];
        await AnswerAsync(0);
        (await StatementAsync(2)).Ids.ShouldBe([3, 4]);
        await AnswerAsync(1);
        await AnswerAsync(2);
        await Task.WhenAll([.. first, .. later]);
    }

    [Fact]
    public async Task A_batch_has_a_limited_size()
    {
        var all = Task.WhenAll(Enumerable.Range(1, 1002).Select(id => AskAsync(id)));
        for (var i = 0; !all.IsCompleted; i++)
        {
            if (await Task.WhenAny(all, StatementAsync(i)) == all) break;
            (await StatementAsync(i)).Ids.Length.ShouldBeLessThanOrEqualTo(256);
            await AnswerAsync(i);
        }

        (await all).ShouldAllBe(document => document != null);
    }

    [Fact]
    public async Task A_caller_that_leaves_does_not_affect_the_others()
    {
        await HoldBothAsync();
        using var gone = new CancellationTokenSource();
        var going = AskAsync(3, gone.Token);
        var staying = AskAsync(3);
        await gone.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(() => going);

        await AnswerAsync(0);
        await AnswerAsync(2);
        (await staying).ShouldBe("document 3");
    }

    [Fact]
    public async Task A_batch_that_fails_is_retried_once_for_those_that_shared_it()
    {
        var first = (await HoldBothAsync())[0];
        Task<string?>[] sharing = [AskAsync(3), AskAsync(4)];
        await FailAsync(0);
        await Should.ThrowAsync<TimeoutException>(() => first);

        await FailAsync(2);
        var both = Task.WhenAll(sharing);
        for (var i = 3; await Task.WhenAny(both, StatementAsync(i)) != both; i++) await AnswerAsync(i);
        (await both).ShouldBe(["document 3", "document 4"]);
    }

    [Fact]
    public async Task A_second_failure_is_thrown()
    {
        await HoldBothAsync();
        var sharing = Task.WhenAll(AskAsync(3), AskAsync(4));
        await AnswerAsync(0);
        for (var i = 2; await Task.WhenAny(sharing, StatementAsync(i)) != sharing; i++) await FailAsync(i);
        await Should.ThrowAsync<TimeoutException>(() => sharing);
        begun.Count(statement => statement.Ids.Contains(3)).ShouldBe(2, "once with another request, and once more");
    }

    /// <summary>Otherwise the request at fault would fail them again.</summary>
    [Fact]
    public async Task Those_that_shared_a_batch_that_failed_are_read_alone_where_that_is_possible()
    {
        var (running, end) = (new TaskCompletionSource(), new TaskCompletionSource());
        var pages = new BatchLoader<int, string>(
            async (_, _) =>
            {
                running.TrySetResult();
                await end.Task;
                throw new TimeoutException();
            },
            largest: 16,
            concurrency: 1,
            TimeSpan.FromMinutes(1),
            (id, _) => Task.FromResult<string?>($"document {id}"));
        var first = pages.LoadAsync(1, CancellationToken.None);
        await running.Task;
        Task<string?>[] sharing = [.. Enumerable.Range(2, 2).Select(id => pages.LoadAsync(id, CancellationToken.None))];

        end.SetResult();

        (await Task.WhenAll(sharing)).ShouldBe(["document 2", "document 3"]);
        await Should.ThrowAsync<TimeoutException>(() => first);
    }

    // Each batch runs before the next is requested, and no third can begin before one of them has ended.
    private async Task<Task<string?>[]> HoldBothAsync()
    {
        var first = AskAsync(1);
        await StatementAsync(0);
        var second = AskAsync(2);
        await StatementAsync(1);
        begun.Select(statement => statement.Ids.Length).ShouldBe([1, 1]);
        return [first, second];
    }

    private Task<string?> AskAsync(int id, CancellationToken ct = default) => loader.LoadAsync(id, ct);

    private async Task<(int[] Ids, TaskCompletionSource<Dictionary<int, string>> Result)> StatementAsync(int number)
    {
        await Eventually.Holds(() => begun.Count > number, "the next statement");
        return begun.ElementAt(number);
    }

    private async Task AnswerAsync(int number)
    {
        var (ids, result) = await StatementAsync(number);
        result.SetResult(ids.ToDictionary(id => id, id => $"document {id}"));
    }

    private async Task FailAsync(int number) =>
        (await StatementAsync(number)).Result.SetException(new TimeoutException());
}
