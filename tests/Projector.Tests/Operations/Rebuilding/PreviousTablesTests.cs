using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

public sealed class PreviousTablesTests(ReadStore store) : RebuildingTest(store)
{
    [Fact]
    public async Task A_rollback_puts_the_previous_tables_in_use_with_the_events_since_the_rebuild()
    {
        await FillAsync();
        await Store.ExecuteAsync("UPDATE read.products SET name = 'From before' WHERE id = 3");
        var (epoch, shape) = (await EpochAsync(), await ShapeAsync());
        await Projector.RebuildAsync();
        var rebuilt = await EpochAsync();
        await Projector.Watch.CompareAsync(CancellationToken.None);
        await Projector.ApplyAsync(
            History.Product(1, "Since"), History.Product(30, "New since"), History.Delete(Resource.Products.Name, 2));

        (await Projector.Previous.RollBackAsync(null, CancellationToken.None)).ShouldBeNull();

        rebuilt.ShouldBeGreaterThan(epoch);
        (await EpochAsync()).ShouldBeGreaterThan(rebuilt);
        (await ShapeAsync()).ShouldBe(shape);
        (await Store.ScalarAsync<string>("SELECT name FROM read.products WHERE id = 3")).ShouldBe("From before");
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_resource_of_a_newer_release_keeps_a_checkpoint_through_a_rebuild_and_a_rollback()
    {
        await FillAsync();
        await Store.ExecuteAsync("INSERT INTO read.checkpoints (resource, position) VALUES ('brands', 7)");

        await Projector.RebuildAsync();
        (await BrandsAsync()).ShouldBe(0, "the new tables have none of its documents");

        await Store.ExecuteAsync("DELETE FROM read_previous.checkpoints WHERE resource = 'brands'");
        (await Projector.Previous.RollBackAsync(null, CancellationToken.None)).ShouldBeNull();
        (await BrandsAsync()).ShouldBe(0);

        Task<long> BrandsAsync() =>
            Store.ScalarAsync<long>("SELECT position FROM read.checkpoints WHERE resource = 'brands'");
    }

    [Fact]
    public async Task What_was_parked_before_the_rebuild_is_not_parked_again_by_a_rollback()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"), Unreadable(10), History.Product(10, "Quill"));
        await Projector.RebuildAsync();
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Quill");
        await Projector.ApplyAsync(History.Product(10, "Brush"));

        (await Projector.Previous.RollBackAsync(null, CancellationToken.None)).ShouldBeNull();

        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Brush");
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.parked_events")).ShouldBe(0);
    }

    [Fact]
    public async Task Without_the_log_a_rollback_does_not_wait_and_the_events_are_applied_after_it()
    {
        await FillAsync();
        await Projector.RebuildAsync();
        await Projector.Watch.CompareAsync(CancellationToken.None);
        await Projector.ApplyAsync(History.Product(1, "Since"), History.Delete(Resource.Products.Name, 2));

        History.Available = false;
        (await Projector.Previous.RollBackAsync(null, CancellationToken.None)).ShouldBeNull();
        (await Store.ScalarAsync<string>("SELECT name FROM read.products WHERE id = 1")).ShouldBe("Product 1");

        History.Available = true;
        // One look is enough: whatever it waited for at the last one was of other tables.
        await Projector.Watch.CompareAsync(CancellationToken.None);
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task Events_of_another_log_are_not_applied_to_the_previous_tables()
    {
        History.LogId = "aaaaaaaaaaaa";
        await Projector.Restores.CompareAsync(CancellationToken.None);
        await FillAsync();
        await Projector.RebuildAsync();
        await Store.ExecuteAsync(
            "UPDATE read_previous.checkpoints SET event_id = gen_random_uuid() WHERE position > 0");
        await Projector.ApplyAsync(History.Product(1, "Since"));

        (await Projector.Previous.RollBackAsync(null, CancellationToken.None)).ShouldBeNull();

        (await Store.ScalarAsync<string>("SELECT name FROM read.products WHERE id = 1")).ShouldBe("Product 1");
        (await Store.ScalarAsync<bool>("SELECT origin IS NULL FROM read.projection_state"))
            .ShouldBeTrue("no token may be satisfied by these documents");
        await Projector.Restores.CompareAsync(CancellationToken.None);
        await Projector.Rebuilder.RunNextAsync(CancellationToken.None);
        (await Store.ScalarAsync<bool>("SELECT origin = read.origin() FROM read.projection_state")).ShouldBeTrue();
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task An_event_that_is_applied_during_a_rollback_is_in_the_tables_that_come_into_use()
    {
        await FillAsync();
        await Projector.RebuildAsync();
        await Projector.ApplyAsync(History.Product(1, "First"));
        // The log was compared at five checkpoints and asked for its identity; then it is read for each resource, and
        // the events arrive after the products were.
        var (answers, last) = (0, 11);
        History.BeforeAnswer = async () =>
        {
            if (++answers == last) await Projector.ApplyAsync(History.Product(1, "Second"), History.Product(31, "New"));
        };

        (await Projector.Previous.RollBackAsync(null, CancellationToken.None)).ShouldBeNull();

        answers.ShouldBeGreaterThan(last);
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_name_that_was_pending_at_the_rebuild_and_changed_back_since_is_valid_after_a_rollback()
    {
        await Projector.ApplyAsync(History.Category(7, "Old"));
        await Projector.ApplyAsync(
            [.. Enumerable.Range(1, 800).Select(id => History.Product(id, $"Pen {id}", category: 7))]);
        await Projector.ApplyAsync(History.Category(7, "New"));
        await Projector.Names.RefreshNextAsync(CancellationToken.None);
        await Projector.RebuildAsync();
        await Projector.ApplyAsync(History.Category(7, "Old"));

        (await Projector.Previous.RollBackAsync(null, CancellationToken.None)).ShouldBeNull();

        (await Store.ShownAsync()).ShouldBe(new Recomputation(History.Entries).Living());
        await Projector.RefreshNamesAsync();
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_roll_back_is_undone_by_another_one()
    {
        await FillAsync();
        await Store.ExecuteAsync("DELETE FROM read.products WHERE id = 3");
        await Projector.RebuildAsync();

        await Projector.Previous.RollBackAsync(null, CancellationToken.None);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products WHERE id = 3")).ShouldBe(0);
        await Projector.Previous.RollBackAsync(null, CancellationToken.None);

        await ShouldBeOfTheLogAsync();
        (await Projector.Record.ReadAsync(CancellationToken.None)).CanRollBack.ShouldBeTrue();
    }

    [Fact]
    public async Task A_repeated_roll_back_with_the_epoch_of_the_first_switches_nothing_back()
    {
        await FillAsync();
        await Store.ExecuteAsync("DELETE FROM read.products WHERE id = 3");
        await Projector.RebuildAsync();
        var epoch = await Store.ScalarAsync<long>("SELECT epoch FROM read.projection_state");

        (await Projector.Previous.RollBackAsync(epoch, CancellationToken.None)).ShouldBeNull();
        (await Projector.Previous.RollBackAsync(epoch, CancellationToken.None))!.Code.ShouldBe("rebuild.other_epoch");

        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products WHERE id = 3")).ShouldBe(0);
    }

    [Fact]
    public async Task A_second_rebuild_keeps_the_tables_of_the_first_and_no_others()
    {
        await FillAsync();
        await Store.ExecuteAsync("DELETE FROM read.products WHERE id = 3");
        await Projector.RebuildAsync();
        await Projector.RebuildAsync();

        await Projector.Previous.RollBackAsync(null, CancellationToken.None);

        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task Dropped_tables_cannot_be_restored()
    {
        await FillAsync();
        (await Projector.Previous.RollBackAsync(null, CancellationToken.None))!.Code.ShouldBe("rebuild.no_previous");
        await Projector.RebuildAsync();

        (await Projector.Previous.DropAsync(CancellationToken.None)).ShouldBeNull();
        (await Projector.Previous.DropAsync(CancellationToken.None)).ShouldBeNull();

        (await Projector.Previous.RollBackAsync(null, CancellationToken.None))!.Code.ShouldBe("rebuild.no_previous");
        (await Projector.Record.ReadAsync(CancellationToken.None)).CanRollBack.ShouldBeFalse();
        (await Store.ScalarAsync<long>("SELECT count(*) FROM pg_tables WHERE schemaname IN ('read_next', "
            + "'read_previous')"))
            .ShouldBe(0);
    }

    [Fact]
    public async Task Tables_of_an_earlier_schema_are_not_put_back_in_use()
    {
        await FillAsync();
        await Projector.RebuildAsync();
        await Store.ExecuteAsync("ALTER TABLE read.products ADD COLUMN colour text");
        try
        {
            (await Projector.Previous.RollBackAsync(null, CancellationToken.None))!.Code.ShouldBe(
                "rebuild.previous_outdated");
        }
        finally
        {
            await Store.ExecuteAsync("ALTER TABLE read.products DROP COLUMN colour");
        }
    }

    [Fact]
    public async Task Tables_without_a_later_index_are_not_put_back_in_use()
    {
        await FillAsync();
        await Projector.RebuildAsync();
        await Store.ExecuteAsync("DROP INDEX read_previous.orders_of_customer_by_date");
        (await Projector.Previous.RollBackAsync(null, CancellationToken.None))!.Code
            .ShouldBe("rebuild.previous_outdated");
    }

    [Fact]
    public async Task The_queries_may_read_the_tables_in_use_and_no_others()
    {
        await FillAsync();
        await Projector.RebuildAsync();
        await ShouldBeReadableAsync();
        await Projector.Previous.RollBackAsync(null, CancellationToken.None);
        await ShouldBeReadableAsync();
    }

    private async Task ShouldBeReadableAsync()
    {
        await using var queries = NpgsqlDataSource.Create(Store.Database.Queries);
        await using var count = queries.CreateCommand(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'read' AND NOT has_table_privilege(schemaname || "
            + "'.' || tablename, 'SELECT')");
        (await count.ExecuteScalarAsync()).ShouldBe(0L);
        await using var look = queries.CreateCommand("SELECT count(*) FROM read_previous.products");
        (await Should.ThrowAsync<PostgresException>(() => look.ExecuteScalarAsync()))
            .SqlState.ShouldBe(PostgresErrorCodes.InsufficientPrivilege);
    }
}
