using ApexShop.TestKit;
using ApexShop.Queries.Api.Reading;

namespace ApexShop.Queries.Api.Tests.Reading;

public sealed class GathererTests
{
    private readonly List<(int[] Ids, TaskCompletionSource<Dictionary<int, string>> Result)> statements = [];
    private readonly Gatherer<string> gatherer;

    public GathererTests() => gatherer = new(ids =>
    {
        var result = new TaskCompletionSource<Dictionary<int, string>>();
        statements.Add((ids, result));
        return result.Task;
    });

    [Fact]
    public async Task The_first_go_at_once_and_who_comes_meanwhile_goes_together()
    {
        Task<string?>[] all = [.. Enumerable.Range(1, 40).Select(id => AskAsync(id))];
        statements.Select(statement => statement.Ids.Length).ShouldBe([1, 1]);

        await AnswerAsync(0);
        await Eventually.Holds(() => statements.Count == 3, "the rest");
        statements[2].Ids.ShouldBe(Enumerable.Range(3, 38), ignoreOrder: true);
        await AnswerAsync(1);
        await AnswerAsync(2);
        (await Task.WhenAll(all)).ShouldBe(Enumerable.Range(1, 40).Select(id => $"document {id}"));
    }

    [Fact]
    public async Task An_id_that_many_ask_for_is_read_once_and_never_by_a_statement_from_before_they_asked()
    {
        Task<string?>[] first = [AskAsync(1), AskAsync(2)];
        Task<string?>[] later = [AskAsync(1), AskAsync(1), AskAsync(1)];
        await AnswerAsync(0);
        await Eventually.Holds(() => statements.Count == 3, "the next statement");
        statements[2].Ids.ShouldBe([1]);
        later.ShouldAllBe(one => !one.IsCompleted);
        await AnswerAsync(1);
        await AnswerAsync(2);
        await Task.WhenAll([.. first, .. later]);
    }

    [Fact]
    public async Task A_statement_asks_for_a_limited_number()
    {
        Task<string?>[] all = [.. Enumerable.Range(1, 1002).Select(id => AskAsync(id))];
        for (var i = 0; i < 6; i++)
        {
            await Eventually.Holds(() => statements.Count > i, "the next statement");
            statements[i].Ids.Length.ShouldBeLessThanOrEqualTo(256);
            await AnswerAsync(i);
        }

        (await Task.WhenAll(all)).ShouldAllBe(document => document != null);
    }

    [Fact]
    public async Task A_caller_that_goes_takes_nothing_from_the_others()
    {
        _ = AskAsync(1);
        _ = AskAsync(2);
        using var gone = new CancellationTokenSource();
        var going = AskAsync(3, gone.Token);
        var staying = AskAsync(3);
        await gone.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(() => going);

        await AnswerAsync(0);
        await Eventually.Holds(() => statements.Count == 3, "the next statement");
        await AnswerAsync(2);
        (await staying).ShouldBe("document 3");
    }

    [Fact]
    public async Task A_statement_that_fails_is_tried_once_more_for_those_who_shared_it()
    {
        var first = AskAsync(1);
        _ = AskAsync(2);
        Task<string?>[] sharing = [AskAsync(3), AskAsync(4)];
        statements[0].Result.SetException(new TimeoutException());
        await Should.ThrowAsync<TimeoutException>(() => first);

        await Eventually.Holds(() => statements.Count == 3, "the shared statement");
        statements[2].Result.SetException(new TimeoutException());
        await Eventually.Holds(() => statements.Count >= 4, "once more");
        for (var i = 3; i < 5; i++)
        {
            if (i < statements.Count) await AnswerAsync(i);
            if (sharing.All(one => one.IsCompleted)) break;
            if (i == 3) await Eventually.Holds(() => statements.Count == 5 || sharing.All(one => one.IsCompleted), "the rest");
        }

        (await Task.WhenAll(sharing)).ShouldBe(["document 3", "document 4"]);
    }

    private Task<string?> AskAsync(int id, CancellationToken ct = default) => gatherer.FindAsync(id, ct);

    private async Task AnswerAsync(int statement)
    {
        var (ids, result) = statements[statement];
        result.SetResult(ids.ToDictionary(id => id, id => $"document {id}"));
        await Task.Yield();
    }
}
