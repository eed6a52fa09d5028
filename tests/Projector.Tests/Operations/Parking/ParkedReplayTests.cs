using ApexShop.Operations;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Operations.Parking;

/// <summary>
/// What cannot be applied is here what a constraint of the test's own refuses: dropping it removes the cause.
/// </summary>
public sealed class ParkedReplayTests(ReadStore store) : ProjectorTest(store)
{
    private static readonly AggregateKey pen = new(Resource.Products.Name, 10);

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        await Store.ExecuteAsync(
            "ALTER TABLE read.products ADD CONSTRAINT poison CHECK (name IS NULL OR name NOT LIKE 'Poison%')");
    }

    public override async Task DisposeAsync()
    {
        await CureAsync();
        await base.DisposeAsync();
    }

    [Fact]
    public async Task Once_the_cause_is_fixed_a_replay_corrects_the_document_and_all_that_show_it()
    {
        await ParkAsync();
        await CureAsync();

        var replay = await Projector.Replayer.ReplayAsync(pen, dryRun: false, CancellationToken.None);

        replay.ShouldNotBeNull().Events!.Select(one => (one.Version, one.Outcome)).ShouldBe(
            [(2, ReplayedEvent.Applied), (3, ReplayedEvent.Applied), (4, ReplayedEvent.Applied)]);
        (replay.Applied, replay.Left, replay.VersionBefore, replay.VersionAfter).ShouldBe((3, 0, 1, 4));
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
        (await ParkedAsync()).ShouldBe(0);
        (await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state"))
            .ShouldContain("products:10");
        await Projector.ApplyAsync(History.Product(10, "Nib"));
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Nib");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_dry_run_reports_what_a_replay_does_and_changes_nothing(bool cured)
    {
        await ParkAsync();
        if (cured) await CureAsync();
        var before = await EverythingAsync();

        var dry = await Projector.Replayer.ReplayAsync(pen, dryRun: true, CancellationToken.None);

        (await EverythingAsync()).ShouldBe(before);
        var real = await Projector.Replayer.ReplayAsync(pen, dryRun: false, CancellationToken.None);
        dry.ShouldNotBeNull().Events.ShouldBe(real.ShouldNotBeNull().Events);
        (dry with { DryRun = false, Events = null }).ShouldBe(real with { Events = null });
        (await EverythingAsync()).ShouldNotBe(before);
    }

    [Fact]
    public async Task A_replay_stops_at_the_first_that_is_refused_again_and_what_came_before_it_is_applied()
    {
        await ParkAsync();
        await CureAsync();
        await Store.ExecuteAsync(
            "ALTER TABLE read.products ADD CONSTRAINT poison CHECK (name IS NULL OR name <> 'Poison again')");

        var replay = await Projector.Replayer.ReplayAsync(pen, dryRun: false, CancellationToken.None);

        replay.ShouldNotBeNull().Events!.Select(one => one.Outcome).ShouldBe(
            [ReplayedEvent.Applied, ReplayedEvent.Refused, ReplayedEvent.Waits]);
        replay.Reason.ShouldNotBeNull().ShouldContain("poison");
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Poison");
        var left = await Projector.Parked.FindAsync(pen, 0, 10, CancellationToken.None);
        left.Count.ShouldBe(2);
        left[0].Reason.ShouldBe(replay.Reason, "the first is the one at fault now");
        await Projector.ApplyAsync(History.Product(10, "Nib"));
        (await ParkedAsync()).ShouldBe(3, "the aggregate is still parked");
    }

    [Fact]
    public async Task An_event_older_than_the_document_changes_nothing_and_is_not_parked_any_more()
    {
        await ParkAsync();
        await CureAsync();
        // As the heal of an earlier version would leave it.
        await Store.ExecuteAsync("UPDATE read.products SET version = 3 WHERE id = 10");

        var replay = await Projector.Replayer.ReplayAsync(pen, dryRun: false, CancellationToken.None);

        replay.ShouldNotBeNull().Events!.Select(one => one.Outcome).ShouldBe(
            [ReplayedEvent.Passed, ReplayedEvent.Passed, ReplayedEvent.Applied]);
        (await ParkedAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task Nothing_parked_is_nothing_to_replay_or_discard()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"));

        (await Projector.Replayer.ReplayAsync(pen, dryRun: false, CancellationToken.None)).ShouldBeNull();
        (await Projector.Parked.DiscardAsync(pen, CancellationToken.None)).ShouldBeNull();
    }

    [Fact]
    public async Task After_a_discard_the_document_stays_and_later_events_apply_again()
    {
        await ParkAsync();

        var discard = await Projector.Parked.DiscardAsync(pen, CancellationToken.None);

        discard.ShouldNotBeNull();
        (discard.Events, discard.DocumentVersion, discard.LostVersion).ShouldBe((3, 1, 4));
        discard.Lost.ShouldContain("products/10 stays at version 1");
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Pen");
        await Projector.ApplyAsync(History.Product(10, "Nib"));
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task Replays_on_two_projectors_while_both_apply_lose_nothing()
    {
        for (var i = 0; i < 80; i++)
        {
            History.Product(i % 4, i % 5 == 0 ? $"Poison {i}" : $"Product {i}", category: i % 3);
            History.Category(i % 3, $"Category {i}");
            History.Review(i % 9, product: i % 4, user: 1, rating: 1 + (i % 5));
        }

        await using var second = new TestProjector(Store.Database.Projector, History);
        using var stop = new CancellationTokenSource();
        var replaying = new[] { Projector, second }.Select(async projector =>
        {
            for (var i = 0; !stop.IsCancellationRequested; i++)
            {
                await projector.Replayer.ReplayAsync(
                    new AggregateKey(Resource.Products.Name, i % 4), dryRun: i % 3 == 0, CancellationToken.None);
                if (i == 20) await CureAsync();
            }
        }).ToList();
        var streams = History.Entries.GroupBy(entry => entry.Resource).Select(entries => entries.ToList()).ToList();
        await Task.WhenAll(
            streams.SelectMany(
                _ => new[] { Projector, second }, (entries, projector) => projector.ApplyEachAsync(entries)));
        await stop.CancelAsync();
        await Task.WhenAll(replaying);
        await CureAsync();
        for (var id = 0; id < 4; id++)
            await second.Replayer.ReplayAsync(
                new AggregateKey(Resource.Products.Name, id), dryRun: false, CancellationToken.None);

        (await ParkedAsync()).ShouldBe(0);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
    }

    // Versions 2 to 4 of product 10 are parked; a review of it and its category show that the shop goes on.
    private async Task ParkAsync()
    {
        await Projector.ApplyEachAsync([
            History.Category(1, "Books"), History.Category(2, "Toys"),
            History.Product(10, "Pen"), History.Product(11, "Ink"),
        ]);
        await Projector.ApplyEachAsync([
            History.Product(10, "Poison"), History.Product(10, "Poison again", category: 2),
            History.Product(10, "Quill", category: 2),
        ]);
        await Projector.ApplyEachAsync([History.Review(1, 10, 5, 4), History.Product(11, "Ink, blue")]);
        (await ParkedAsync()).ShouldBe(3);
        (await ViewAsync<ProductView>("products", 11)).Name.ShouldBe("Ink, blue");
    }

    private Task CureAsync() => Store.ExecuteAsync("ALTER TABLE read.products DROP CONSTRAINT IF EXISTS poison");

    private Task<long> ParkedAsync() => Store.ScalarAsync<long>("SELECT count(*) FROM read.parked_events");

    // With the transaction that wrote each row.
    private Task<SortedDictionary<string, string>> EverythingAsync() => Store.PairsAsync(string.Join(
        " UNION ALL ",
        new[]
        {
            "products",
            "categories",
            "users",
            "orders",
            "reviews",
            "segments",
            "category_segments",
            "product_ratings",
            "product_changes",
            "product_words", "product_name_words", "name_word_counts",
            "order_totals", "review_totals", "checkpoints", "projection_state", "parked_events",
        }.Select(table => $"SELECT '{table}' || ctid, xmin || t::text FROM read.{table} t")));
}
