using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using ApexShop.TestKit.Metrics;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>A log that was restored from a backup, without what happened since, and goes on from there.</summary>
public sealed class RestoreTests(ReadStore store) : RebuildingTest(store)
{
    private EventHistory restored = null!;
    private TestProjector after = null!;

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        restored = new EventHistory();
        after = new TestProjector(Store.Database.Projector, restored);
    }

    public override async Task DisposeAsync()
    {
        await after.DisposeAsync();
        restored.Dispose();
        await base.DisposeAsync();
    }

    [Fact]
    public async Task A_log_that_only_grows_is_not_detected_as_another()
    {
        await FillAsync();
        (await Projector.Continuity.FindBreakAsync(CancellationToken.None)).ShouldBeNull();
        History.Product(1, "Not applied yet");
        (await Projector.Continuity.FindBreakAsync(CancellationToken.None)).ShouldBeNull();
        await Projector.RebuildAsync();
        (await Projector.Continuity.FindBreakAsync(CancellationToken.None)).ShouldBeNull();
    }

    [Fact]
    public async Task A_log_that_ends_before_the_documents_is_detected()
    {
        await FillAsync();
        Restore(keep: 5);

        (await after.Continuity.FindBreakAsync(CancellationToken.None))!.ShouldContain("the log ends before position");
    }

    [Fact]
    public async Task A_page_without_events_that_the_log_has_is_no_restore()
    {
        await FillAsync();
        Restore(keep: History.Entries.Count);
        restored.MostEntries = 0;

        await Should.ThrowAsync<EventLogException>(() => after.Continuity.FindBreakAsync(CancellationToken.None));
    }

    [Fact]
    public async Task A_log_with_other_events_up_to_the_same_position_is_detected()
    {
        await FillAsync();
        Restore(keep: 5);
        for (var id = 100; restored.Entries.Count < History.Entries.Count + 3; id++) restored.Product(id, "Other");

        (await after.Continuity.FindBreakAsync(CancellationToken.None))!.ShouldContain("another event at position");
    }

    [Fact]
    public async Task A_log_with_another_event_of_the_same_resource_is_detected()
    {
        await FillAsync();
        await Projector.ApplyAsync(History.Product(1, "Lost"));
        Restore(keep: History.Entries.Count - 1);
        restored.Product(1, "Other");

        (await after.Continuity.FindBreakAsync(CancellationToken.None))!.ShouldContain("another event at position");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    public async Task The_documents_are_rebuilt_automatically_also_where_positions_and_ids_are_used_again(int news)
    {
        await FillAsync();
        await Projector.ApplyAsync(History.Product(1, "Lost"), History.Product(50, "Lost too"));
        Restore(keep: 8);
        for (var i = 0; i < news; i++) restored.Product(50 + (i % 7), $"Other {i}");
        await after.ApplyAsync(restored.User(9, "New", "Comer"));

        await after.Restores.CompareAsync(CancellationToken.None);
        after.Restores.Break.ShouldNotBeNull();
        await after.Rebuilder.RunNextAsync(CancellationToken.None);
        await after.Restores.CompareAsync(CancellationToken.None);

        after.Restores.Break.ShouldBeNull();
        (await after.Record.ReadAsync(CancellationToken.None)).Cause.ShouldStartWith("Automatic: ");
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(restored.Entries).Documents());
        await after.ApplyAsync(restored.Product(1, "Goes on"));
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(restored.Entries).Documents());
    }

    [Fact]
    public async Task A_gauge_shows_while_the_documents_are_of_another_log()
    {
        using var metered = new MeterReader(after.Meters);
        await new RestoreGauge(after.Restores, after.Meters).StartAsync(CancellationToken.None);
        await FillAsync();
        Restore(keep: 5);
        Gauge().ShouldBe(1, "nothing was compared yet");

        await after.Restores.CompareAsync(CancellationToken.None);
        Gauge().ShouldBe(0);
        await after.Rebuilder.RunNextAsync(CancellationToken.None);
        await after.Restores.CompareAsync(CancellationToken.None);

        Gauge().ShouldBe(1);

        double? Gauge() => metered.Read().Value("apexshop_documents_of_this_log");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Events_of_the_restored_log_are_not_mixed_with_lost_events(bool isOfTheSameResource)
    {
        await FillAsync();
        await Projector.ApplyAsync(History.Product(1, "Lost"));
        Restore(keep: 8);
        // The position of the lost event goes to another product, or to a category.
        while (restored.Entries.Count < History.Entries.Count - 1) restored.Category(1, "Again");
        if (isOfTheSameResource) restored.Product(2, "Again");
        else restored.Category(1, "Again");
        restored.Product(3, "Beyond");
        var next = restored.Entries.Skip(8).Where(entry => entry.Resource == Resource.Products.Name).ToArray();

        await Should.ThrowAsync<EventLogException>(() => after.ApplyAsync(next));
        await Should.ThrowAsync<EventLogException>(() => after.Watch.CompareAsync(CancellationToken.None));
        await after.Restores.CompareAsync(CancellationToken.None);
        await after.Rebuilder.RunNextAsync(CancellationToken.None);
        await after.ApplyAsync(next);

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(restored.Entries).Documents());
    }

    [Fact]
    public async Task Two_Projectors_that_detect_a_restore_rebuild_once()
    {
        await FillAsync();
        Restore(keep: 8);
        await using var other = new TestProjector(Store.Database.Projector, restored);
        await after.Restores.CompareAsync(CancellationToken.None);
        await other.Restores.CompareAsync(CancellationToken.None);
        await after.Rebuilder.RunNextAsync(CancellationToken.None);

        (await other.Rebuilder.BeginAsync("Restore", IsBrokenAsync, CancellationToken.None))
            .ShouldBeNull("what is as it should be again is not rebuilt");
        await other.Restores.CompareAsync(CancellationToken.None);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.rebuilds")).ShouldBe(1);

        async Task<bool> IsBrokenAsync() => await other.Continuity.FindBreakAsync(CancellationToken.None) is not null;
    }

    [Fact]
    public async Task An_empty_log_is_detected_and_starts_no_rebuild()
    {
        await FillAsync();

        await after.Restores.CompareAsync(CancellationToken.None);

        after.Restores.Break.ShouldNotBeNull();
        (await after.Record.ReadAsync(CancellationToken.None)).State.ShouldBe(RebuildState.None);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task With_the_setting_off_a_restore_is_only_reported()
    {
        await FillAsync();
        Restore(keep: 8);
        after.Rebuilding.AfterRestore = false;

        await after.Restores.CompareAsync(CancellationToken.None);

        after.Restores.Break.ShouldNotBeNull();
        (await after.Record.ReadAsync(CancellationToken.None)).State.ShouldBe(RebuildState.None);
        var status = await after.RebuildAsync();
        (status.Failure, status.State).ShouldBe((null, RebuildState.Done));
        status.Documents.Values.Sum(kind => kind.Differing).ShouldBeGreaterThan(0);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(restored.Entries).Documents());
    }

    private void Restore(int keep)
    {
        foreach (var entry in History.Entries.Take(keep)) restored.Take(entry);
    }
}
