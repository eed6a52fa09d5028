using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>A log whose identity has changed, because it was restored or its server is a promoted replica.</summary>
public sealed class LogIdentityTests(ReadStore store) : RebuildingTest(store)
{
    private const string First = "aaaaaaaaaaaa";
    private const string Second = "bbbbbbbbbbbb";

    private static readonly string products = Resource.Products.Name;

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        History.LogId = First;
    }

    [Fact]
    public async Task Events_wait_until_the_documents_have_the_identity_of_their_log()
    {
        var entry = History.Category(1, "Books");
        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(entry));
        await Should.ThrowAsync<EventLogException>(() => Projector.Watch.CompareAsync(CancellationToken.None));
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.categories")).ShouldBe(0);

        await CompareAsync();
        await Projector.ApplyAsync(entry);
        (await StoredAsync()).ShouldBe(First);
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task After_a_restore_that_lost_nothing_the_documents_are_of_the_log_again()
    {
        await CompareAsync();
        await FillAsync();
        await Store.ExecuteAsync("UPDATE read.projection_state SET origin = NULL");
        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(History.Product(1, "Waits")));

        await CompareAsync();

        (await HasOriginAsync()).ShouldBeTrue();
        (await StoredAsync()).ShouldBe(First);
    }

    [Fact]
    public async Task A_comparison_from_before_a_restore_does_not_end_the_doubt()
    {
        await CompareAsync();
        await FillAsync();
        await Store.ExecuteAsync("UPDATE read.projection_state SET origin = NULL");
        var before = await Projector.Continuity.CompareAsync(CancellationToken.None);
        await Store.ExecuteAsync("UPDATE read.projection_state SET epoch = epoch + 1");

        (await Projector.Continuity.AdoptAsync(before, CancellationToken.None)).ShouldBeFalse();
        (await HasOriginAsync()).ShouldBeFalse();
    }

    /// <summary>A Projector with a wrong address must not stop the others.</summary>
    [Fact]
    public async Task An_empty_log_refutes_nothing()
    {
        await CompareAsync();
        await FillAsync();
        using var empty = new EventHistory { LogId = "cccccccccccc" };
        await using var lost = new TestProjector(Store.Database.Projector, empty);

        await lost.Restores.CompareAsync(CancellationToken.None);

        lost.Restores.Break.ShouldNotBeNull();
        (await HasOriginAsync()).ShouldBeTrue();
        await Projector.ApplyAsync(History.Product(1, "Goes on"));
    }

    [Fact]
    public async Task A_comparison_from_before_a_rebuild_does_not_refute_the_rebuilt_documents()
    {
        await CompareAsync();
        await FillAsync();
        var before = await Projector.Continuity.CompareAsync(CancellationToken.None);
        await Projector.RebuildAsync();

        await Projector.Continuity.RefuteAsync(before, CancellationToken.None);

        (await HasOriginAsync()).ShouldBeTrue();
    }

    [Fact]
    public async Task Queries_read_the_epoch_from_a_row_that_only_another_epoch_changes()
    {
        await CompareAsync();
        var before = await RowOfEpochAsync();
        await FillAsync();
        (await RowOfEpochAsync()).ShouldBe(before);

        Replace(commonUpTo: History.Entries.Count);
        await CompareAsync();

        (await RowOfEpochAsync()).ShouldNotBe(before);
        (await Store.ScalarAsync<long>($"SELECT epoch FROM {ReadTables.Epoch}")).ShouldBe(await EpochAsync());
    }

    [Fact]
    public async Task A_log_that_continues_the_documents_gets_a_fresh_epoch_and_no_rebuild()
    {
        await CompareAsync();
        await FillAsync();
        var (epoch, rows) = (await EpochAsync(), await Store.OutcomeAsync());
        var began = TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds();

        Replace(commonUpTo: History.Entries.Count);
        await CompareAsync();

        (await StoredAsync()).ShouldBe(Second);
        // A schema that was restored too has had this epoch, and the next ones.
        (await EpochAsync()).ShouldBeGreaterThan(Math.Max(epoch, began - 1000));
        (await Store.ScalarAsync<string>("SELECT array_to_string(pending_tags, ',') FROM read.projection_state"))
            .ShouldBe(Caching.CacheTags.Everything);
        (await Store.OutcomeAsync()).ShouldBe(rows);
        Projector.Restores.Break.ShouldBeNull();
        (await Projector.Record.ReadAsync(CancellationToken.None)).State.ShouldBe(RebuildState.None);
        await Projector.ApplyAsync(History.Product(1, "Goes on"));
        await ShouldBeOfTheLogAsync();

        epoch = await EpochAsync();
        await CompareAsync();
        (await EpochAsync()).ShouldBe(epoch);
    }

    [Fact]
    public async Task An_identity_is_not_stored_for_documents_that_changed_after_the_comparison()
    {
        await CompareAsync();
        await FillAsync();
        var late = History.Product(1, "Late");
        Replace(commonUpTo: History.Entries.Count);
        var compared = await Projector.Continuity.CompareAsync(CancellationToken.None);
        await Projector.ApplyAsync(late);

        (await Projector.Continuity.AdoptAsync(compared, CancellationToken.None)).ShouldBeFalse();
        (await StoredAsync()).ShouldBe(First);
    }

    [Fact]
    public async Task Documents_beyond_the_common_events_are_rebuilt_also_when_every_checkpoint_looks_right()
    {
        await CompareAsync();
        await FillAsync();
        Replace(commonUpTo: 5);

        await CompareAsync();
        Projector.Restores.Break!.ShouldContain($"does not have all events of the log {First}");
        (await StoredAsync()).ShouldBe(First);
        (await HasOriginAsync()).ShouldBeFalse("no token is satisfied by these documents");
        var epoch = await EpochAsync();
        await Projector.Rebuilder.RunNextAsync(CancellationToken.None);

        (await StoredAsync()).ShouldBe(Second);
        (await HasOriginAsync()).ShouldBeTrue();
        (await EpochAsync()).ShouldBeGreaterThan(epoch + 1);
        await CompareAsync();
        Projector.Restores.Break.ShouldBeNull();
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_message_of_the_current_log_waits_until_the_documents_are_rebuilt_from_it()
    {
        await CompareAsync();
        await FillAsync();
        Replace(commonUpTo: 5);
        var next = History.Product(1, "Of the current log");

        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(next));
        await CompareAsync();
        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(next));

        await Projector.Rebuilder.RunNextAsync(CancellationToken.None);
        await Projector.ApplyAsync(next);
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_message_of_the_replaced_log_is_skipped_once_the_log_was_compared()
    {
        await CompareAsync();
        await FillAsync();
        var common = History.Entries.Count;
        var lost = History.Product(1, "Lost");
        Replace(commonUpTo: common);
        History.Forget(lost);
        await CompareAsync();
        var before = await Store.OutcomeAsync();

        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(lost));
        await CompareAsync();
        await Projector.ApplyAsync(lost);

        (await Store.OutcomeAsync()).ShouldBe(before);
        await Projector.ApplyAsync(History.Product(2, "The same position"));
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_rebuild_fails_when_the_log_is_replaced_meanwhile()
    {
        await CompareAsync();
        await FillAsync();
        var answers = 0;
        History.BeforeAnswer = () =>
        {
            if (++answers == 2) History.LogId = Second;
            return Task.CompletedTask;
        };

        var status = await Projector.RebuildAsync();

        status.State.ShouldBe(RebuildState.Failed);
        status.Failure!.ShouldContain("replaced");
        (await StoredAsync()).ShouldBe(First);
    }

    [Fact]
    public async Task A_read_schema_that_was_restored_gets_a_fresh_epoch_before_an_event_is_applied()
    {
        await CompareAsync();
        await FillAsync();
        using var backup = await Backup.TakeAsync(Store.Database, "read");
        await Projector.ApplyAsync(History.Product(1, "After the backup"));
        await Projector.RebuildAsync();
        var used = await EpochAsync();

        await backup.RestoreAsync();
        var next = History.Product(2, "After the restore");
        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(next));
        await CompareAsync();

        (await EpochAsync()).ShouldBeGreaterThan(used);
        (await Store.ScalarAsync<string>("SELECT array_to_string(pending_tags, ',') FROM read.projection_state"))
            .ShouldBe(Caching.CacheTags.Everything);
        await Projector.Watch.CompareAsync(CancellationToken.None);
        await Projector.ApplyAsync(next);
        await ShouldBeOfTheLogAsync();
    }

    [Theory]
    [InlineData("^[0-9]+", "1")]
    [InlineData("[.][0-9A-F]{8}[.]", ".0000000F.")]
    [InlineData("[.][0-9]+[.]([0-9]+)$", ".1.\\1")]
    [InlineData("[0-9]+$", "1")]
    public async Task No_event_is_applied_before_another_epoch_whichever_part_of_the_origin_differs(
        string part, string other)
    {
        await CompareAsync();
        await FillAsync();
        await MoveAsync(part, other);
        var (epoch, before) = (await EpochAsync(), await Store.OutcomeAsync());
        var next = History.Product(1, "After the restore");

        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(next));
        await Should.ThrowAsync<EventLogException>(() => Projector.Watch.CompareAsync(CancellationToken.None));
        (await Store.OutcomeAsync()).ShouldBe(before);
        await CompareAsync();

        (await EpochAsync()).ShouldBeGreaterThan(epoch);
        await Projector.ApplyAsync(next);
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task Nothing_is_healed_or_replayed_in_a_restored_schema_before_another_epoch()
    {
        await CompareAsync();
        await FillAsync();
        await Store.ExecuteAsync("DELETE FROM read.products WHERE id = 3");
        await MoveAsync("[.][0-9A-F]{8}[.]", ".0000000F.");

        await Should.ThrowAsync<EventLogException>(HealAsync);
        await Should.ThrowAsync<EventLogException>(
            () => Projector.Replayer.ReplayAsync(new(products, 3), dryRun: false, CancellationToken.None));
        (await Store.BodyAsync(products, 3)).ShouldBeNull();
        await CompareAsync();

        await HealAsync();
        await ShouldBeOfTheLogAsync();

        Task HealAsync() => Projector.Healer.HealAsync(products, [3], CancellationToken.None);
    }

    // As after a restore: the stored origin is of the server, the database or the file before.
    private Task MoveAsync(string part, string other) => Store.ExecuteAsync(
        $"UPDATE read.projection_state SET origin = regexp_replace(origin, '{part}', '{other}')");

    private Task<bool> HasOriginAsync() => Store.ScalarAsync<bool>(
        "SELECT coalesce(origin = read.origin(), false) FROM read.projection_state");

    private Task CompareAsync() => Projector.Restores.CompareAsync(CancellationToken.None);

    private Task<string> RowOfEpochAsync() => Store.ScalarAsync<string>($"SELECT ctid::text FROM {ReadTables.Epoch}");

    private Task<string> StoredAsync() => Store.ScalarAsync<string>("SELECT log_id FROM read.projection_state");

    private void Replace(long commonUpTo) => (History.LogId, History.CommonUpTo) = (Second, commonUpTo);
}
