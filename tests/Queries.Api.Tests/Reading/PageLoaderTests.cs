using System.Text;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Reading;

/// <summary>Pages that are requested while others are read; a lock on the table blocks the running reads.</summary>
public sealed class PageLoaderTests(PageLoaderTests.Shop shop) : IClassFixture<PageLoaderTests.Shop>
{
    /// <summary>Walks may wait for the lock as long as a test needs.</summary>
    public sealed class Shop : FewOfEach
    {
        private protected override QueriesApp Configure(QueriesApp queries) =>
            queries.With("Reading:SearchSeconds", 30).With("Reading:WaitSeconds", 30);
    }

    private const string Blocked =
        "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

    private readonly ReadDatabase database = shop.App.Services.GetRequiredService<ReadDatabase>();

    private PageLoader Pages => new(database, Options.Create(new ReadingOptions { WaitSeconds = 30 }));

    [Fact]
    public async Task Pages_of_one_batch_are_the_same_as_each_alone()
    {
        string[] lists =
            ["", "sort=-price", "sort=name", "categoryId=3", "isActive=true", "sort=rating", "inStock=false", "q=line"];
        (ListQuery List, ScanStart Start, int Take)[] all =
        [
            .. from query in lists
               let list = List(query)
               from take in (int[])[1, 4, 100]
               from backwards in (bool[])[false, true]
               select (list, new ScanStart(null, backwards), take),
        ];
        var pages = Pages;
        var together = await Task.WhenAll(
            all.Select(one => TextAsync(pages.ReadAsync(one.List, one.Start, one.Take, default))));
        foreach (var (one, text) in all.Zip(together))
        {
            var alone = pages.ReadAloneAsync(new PageLoader.PageScan(one.List, one.Start, one.Take), default);
            text.ShouldBe(await TextAsync(alone), one.ToString());
        }
    }

    [Fact]
    public async Task A_walk_is_the_page_of_a_search_unless_it_is_too_short()
    {
        var list = List("isActive=true&sort=name");
        foreach (var isBackwards in (bool[])[false, true])
        {
            var start = new ScanStart(null, isBackwards);
            for (var take = 1; take <= 3; take++)
            {
                (await TextAsync(Pages.ReadNearAsync(list, start, take, default)))
                    .ShouldBe(await TextAsync(Pages.ReadAsync(list, start, take, default)));
            }

            await Pages.ReadNearAsync(list, start, FewOfEach.Living.Count, default)
                .ShouldThrowAsync<WalkTooShortException>();
        }
    }

    [Fact]
    public async Task Few_batches_run_at_a_time_and_a_caller_that_has_left_does_not_delay_others()
    {
        var pages = Pages;
        using var gone = new CancellationTokenSource();
        await using var locked = await shop.LockAsync("read.products");
        var first = await TakeAllAsync(pages);
        var asked = Enumerable.Range(1, 30)
            .Select(take => TextAsync(pages.ReadAsync(List(""), ScanStart.Beginning, take, default))).ToList();
        var left = pages.ReadAsync(List(""), ScanStart.Beginning, 7, gone.Token);

        await gone.CancelAsync();
        await left.ShouldThrowAsync<OperationCanceledException>();
        // Other batches would take a while to open their connections.
        for (var look = 0; look < 20; look++)
        {
            (await BlockedAsync()).ShouldBe(first.Count);
            await Task.Delay(50);
        }

        await locked.DisposeAsync();
        foreach (var one in first) (await one).Dispose();
        (await Task.WhenAll(asked)).Distinct().Count().ShouldBe(FewOfEach.Living.Count);
    }

    [Fact]
    public async Task A_page_whose_shared_round_trip_failed_is_read_alone()
    {
        var pages = Pages;
        await using var locked = await shop.LockAsync("read.products");
        var first = await TakeAllAsync(pages);
        var later = Enumerable.Range(1, 3)
            .Select(take => TextAsync(pages.ReadAsync(List(""), ScanStart.Beginning, take, default))).ToList();

        await BreakAsync();
        foreach (var one in first) await one.ShouldThrowAsync<NpgsqlException>();
        await Eventually.Holds(async () => await BlockedAsync() == 1, "the later ones are under way, together");
        await BreakAsync();
        await Eventually.Holds(async () => await BlockedAsync() == later.Count, "each of them is, alone");
        await locked.DisposeAsync();
        (await Task.WhenAll(later)).Distinct().Count().ShouldBe(later.Count);
    }

    [Fact]
    public async Task Walks_of_one_round_trip_have_their_own_pages()
    {
        var pages = Pages;
        await using var locked = await shop.LockAsync("read.products");
        var first = await TakeAllOfWalksAsync(pages);
        var later = Enumerable.Range(1, 3).Select(take => TextAsync(WalkAsync(pages, take))).ToList();
        var tooShort = WalkAsync(pages, FewOfEach.Living.Count);
        await locked.DisposeAsync();

        await tooShort.ShouldThrowAsync<WalkTooShortException>();
        (await Task.WhenAll(later)).Distinct().Count().ShouldBe(3);
        foreach (var one in first) (await one).Dispose();
    }

    [Fact]
    public async Task A_walk_whose_shared_round_trip_failed_is_read_as_a_search()
    {
        var pages = Pages;
        await using var locked = await shop.LockAsync("read.products");
        var first = await TakeAllOfWalksAsync(pages);
        var shared = Enumerable.Range(1, PageLoader.MostWalks).Select(take => WalkAsync(pages, take)).ToList();
        var alone = WalkAsync(pages, 1);

        await BreakAsync();
        foreach (var one in first) await one.ShouldThrowAsync<NpgsqlException>();
        await Eventually.Holds(async () => await BlockedAsync() == 2, "two round trips are under way");
        await BreakAsync();

        foreach (var one in shared) await one.ShouldThrowAsync<WalkTooShortException>();
        await alone.ShouldThrowAsync<NpgsqlException>();
    }

    [Fact]
    public async Task A_walk_that_waits_too_long_for_its_turn_is_busy_and_one_under_way_is_not()
    {
        var pages = new PageLoader(database, Options.Create(new ReadingOptions { WaitSeconds = 1 }));
        await using var locked = await shop.LockAsync("read.products");
        var first = await TakeAllOfWalksAsync(pages);

        await WalkAsync(pages, 2).ShouldThrowAsync<SearchBusyException>();
        first.ShouldAllBe(one => !one.IsCompleted);

        await locked.DisposeAsync();
        foreach (var one in first) (await one).Dispose();
    }

    private Task<List<Task<LoadedPage>>> TakeAllAsync(PageLoader pages) =>
        TakeAsync(PageLoader.Concurrency, () => pages.ReadAsync(List(""), ScanStart.Beginning, 1, default));

    private Task<List<Task<LoadedPage>>> TakeAllOfWalksAsync(PageLoader pages) =>
        TakeAsync(new ReadingOptions().WalkConnections, () => WalkAsync(pages, 1));

    // As many as may run, one after the other: together they would share a round trip.
    private async Task<List<Task<LoadedPage>>> TakeAsync(int count, Func<Task<LoadedPage>> read)
    {
        var all = new List<Task<LoadedPage>>();
        while (all.Count < count)
        {
            all.Add(read());
            await Eventually.Holds(async () => await BlockedAsync() == all.Count, "the page is under way");
        }

        return all;
    }

    private static Task<LoadedPage> WalkAsync(PageLoader pages, int take) =>
        pages.ReadNearAsync(List("isActive=true"), ScanStart.Beginning, take, default);

    private Task<long> BlockedAsync() => AskAsync($"SELECT count(*) {Blocked}");

    private Task<long> BreakAsync() => AskAsync($"SELECT count(pg_terminate_backend(pid)) {Blocked}");

    private async Task<long> AskAsync(string sql)
    {
        await using var connection = new NpgsqlConnection(shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        return (long)(await command.ExecuteScalarAsync())!;
    }

    private static async Task<string> TextAsync(Task<LoadedPage> reading)
    {
        using var page = await reading;
        return $"{page.Epoch} {page.Range} {Encoding.UTF8.GetString(page.Text.Written.Span)}";
    }

    private static ListQuery List(string query) => ListQuery.From(
        ReadModel.All[0], new QueryParameters(new QueryCollection(QueryHelpers.ParseQuery(query))));
}
