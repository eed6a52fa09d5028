using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Products;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

public sealed class RebuildTests(ReadStore store) : RebuildingTest(store)
{
    [Fact]
    public void For_any_log_a_rebuild_gives_the_same_documents_as_the_messages()
    {
        var property = Prop.ForAll(RandomHistory.Numbers, numbers => HoldsAsync(numbers).GetAwaiter().GetResult());
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(12).WithQuietOnSuccess(true), property);
    }

    [Fact]
    public async Task The_side_tables_of_products_have_what_the_messages_wrote()
    {
        var created = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
        var lamp = new ProductState(
            1, "Lamp", "For reading", 9.99m, 5, true, false, 1, created, null, 0, null, null, []);
        await Projector.ApplyAsync(History.Category(1, "Lights"));
        await Projector.ApplyAsync(
            History.Product(lamp with { Id = 1, Description = null }),
            History.Product(lamp with { Id = 2, IsActive = false, Name = "Candle" }),
            History.Product(
                lamp with { Id = 3, Name = "Sv\u011btlo\nna noc", Description = "dv\u011b\n\u0159\u00e1dky" }),
            History.Product(lamp with { Id = 4, UpdatedDate = created.AddDays(1) }),
            History.Product(lamp with { Id = 5, Description = "" }),
            History.Product(lamp with { Id = 6, Name = "Torch" }),
            History.Product(lamp with { Id = 7, Name = "Oak/walnut DDR4-3200", Description = "Wi-Fi/LAN.Black" }));
        await Projector.ApplyAsync(History.Delete("products", 6));
        await Projector.ApplyAsync(History.Review(1, 4, 1, 3));
        var before = await SideTablesAsync();

        ShouldBeDone(await Projector.RebuildAsync());

        before.ShouldContain("rating (4,3");
        (await SideTablesAsync()).ShouldBe(before);
    }

    private Task<string> SideTablesAsync() => Store.ScalarAsync<string>("""
        SELECT string_agg(line, E'\n' ORDER BY line) FROM (
            SELECT 'rating ' || t FROM read.product_ratings AS t
            UNION ALL SELECT 'change ' || t FROM read.product_changes AS t
            UNION ALL SELECT 'words ' || t FROM read.product_words AS t
            UNION ALL SELECT 'name words ' || t FROM read.product_name_words AS t
            UNION ALL SELECT 'count ' || word || products FROM read.name_word_counts WHERE products > 0
            UNION ALL SELECT 'segment ' || t FROM read.category_segments AS t) AS side (line)
        """);

    [Fact]
    public async Task The_epoch_is_one_that_a_restored_schema_cannot_have_had_and_every_cached_response_is_invalid()
    {
        await FillAsync();
        var (before, began) = (await EpochAsync(), TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds());

        ShouldBeDone(await Projector.RebuildAsync());

        (await EpochAsync()).ShouldBeGreaterThan(Math.Max(before, began - 1000));
        // Raised and cleared: with Redis unavailable they would still stand there.
        (await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state")).ShouldBeEmpty();
    }

    [Fact]
    public async Task The_new_tables_are_defined_like_the_previous_ones()
    {
        await FillAsync();
        var before = await ShapeAsync();

        await Projector.RebuildAsync();
        (await ShapeAsync()).ShouldBe(before);

        await Projector.RebuildAsync();
        (await ShapeAsync()).ShouldBe(before);
    }

    [Fact]
    public async Task Every_table_of_the_schema_is_in_the_list_of_those_switched_or_kept() =>
        (await Store.ScalarAsync<string[]>("SELECT array_agg(tablename::text ORDER BY tablename) FROM pg_tables "
            + "WHERE schemaname = 'read'"))
            .ShouldBe([.. RebuiltTables.All.Concat(RebuiltTables.Kept).Order(StringComparer.Ordinal)]);

    [Fact]
    public async Task Damage_is_reported_and_repaired()
    {
        await FillAsync();
        await Store.ExecuteAsync("""
            UPDATE read.products SET body = convert_to(replace(convert_from(body, 'UTF8'), 'Product 3', 'Product X'),
                'UTF8') WHERE id = 3;
            UPDATE read.products SET price = 1 WHERE id = 4;
            DELETE FROM read.products WHERE id = 5;
            DELETE FROM read.reviews;
            INSERT INTO read.users
            SELECT 99, version, revision, is_deleted, email, first_name, last_name, is_active, created_date, data, body
            FROM read.users WHERE id = 1;
            """);

        var status = await Projector.RebuildAsync();

        ShouldBeDone(status, differing: 3 + 3 + 1);
        status.Documents[Resource.Products.Name].ShouldSatisfyAllConditions(
            products => products.Before.ShouldBe(10), products => products.Examples.ShouldBe([3, 4, 5]));
        status.Documents[Resource.Users.Name].Examples.ShouldBe([99]);
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task Events_during_a_rebuild_are_in_the_documents()
    {
        await FillAsync();
        var answers = 0;
        History.BeforeAnswer = async () =>
        {
            // Only while no process holds the lock that a message needs: reading, then catching up.
            if (++answers > 6) return;
            History.BeforeAnswer = () => Task.CompletedTask;
            await Projector.ApplyAsync(History.Category(1, $"Books {answers}"));
            await Projector.ApplyAsync(History.Product(20 + answers, "Late"), History.Product(1, $"Renamed {answers}"));
            await Projector.ApplyAsync(History.Delete(Resource.Reviews.Name, 1 + (answers % 3)));
        };

        ShouldBeDone(await Projector.RebuildAsync());

        await ShouldBeOfTheLogAsync();
        await Projector.ApplyAsync(History.Product(2, "Afterwards"));
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_name_that_very_many_documents_show_is_changed_in_all_of_them_while_a_rebuild_catches_up()
    {
        await using var projector = new TestProjector(Store.Database.Projector, History, mostAtOnce: 25);
        await projector.ApplyAsync(History.Category(1, "Books"), History.Category(2, "Pens"));
        // Of the first category three pages; those of the second are read together.
        await projector.ApplyAsync([.. Enumerable.Range(1, 2_300)
            .Select(id => History.Product(id, $"Product {id}", category: id % 10 == 0 ? 2 : 1))]);
        History.BeforeAnswer = async () =>
        {
            if (!await IsCatchingUpAsync()) return;
            History.BeforeAnswer = () => Task.CompletedTask;
            await projector.ApplyAsync(History.Category(1, "Magazines"), History.Category(2, "Pencils"));
        };

        ShouldBeDone(await projector.RebuildAsync());

        (await Store.BodyAsync("products", 2_299))!.ShouldContain("Magazines");
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task At_the_switch_the_new_tables_have_every_event_that_is_applied_and_none_that_is_not()
    {
        await FillAsync();
        // The identity, the whole log, and two steps of catching up: the next request is under the lock of the switch.
        var (answers, unlocked) = (0, 2 + (2 * Resource.Names.Count));
        var (applied, checkpoints, isLocked) = (0, "", false);
        History.BeforeAnswer = async () =>
        {
            answers++;
            if (answers == unlocked)
            {
                foreach (var entry in AddOneOfEach("applied")) await Projector.ApplyAsync(entry);
                (applied, checkpoints) = (History.Entries.Count, await CheckpointsAsync());
            }
            else if (answers == unlocked + 1)
            {
                isLocked = !await Store.ScalarAsync<bool>(
                    "SELECT EXISTS (SELECT FROM read.projection_state FOR UPDATE SKIP LOCKED)");
                AddOneOfEach("arrives");
            }
        };

        var status = await Projector.RebuildAsync();

        (await CheckpointsAsync()).ShouldBe(checkpoints);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries[..applied]).Documents());
        isLocked.ShouldBeTrue();
        ShouldBeDone(status);
        var requests = History.Requests;
        foreach (var entry in History.Entries[applied..]) await Projector.ApplyAsync(entry);
        History.Requests.ShouldBe(requests, "no event is missing");
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task Messages_that_are_delivered_again_after_a_rebuild_are_repeats()
    {
        await FillAsync();
        await Projector.RebuildAsync();
        var requests = History.Requests;

        await Projector.ApplyAsync(History.Entries.Where(entry => entry.Resource == Resource.Products.Name));

        History.Requests.ShouldBe(requests, "a repeat is no hole");
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task An_empty_read_database_is_filled_from_the_log()
    {
        await FillAsync();
        await Store.ClearAsync();

        await Projector.RebuildAsync();

        await ShouldBeOfTheLogAsync();
        (await Store.ScalarAsync<long>("SELECT max(position) FROM read.checkpoints")).ShouldBe(History.Entries.Count);
    }

    [Fact]
    public async Task An_unavailable_log_leaves_everything_unchanged()
    {
        await FillAsync();
        var epoch = await EpochAsync();
        History.Available = false;

        var status = await Projector.RebuildAsync();

        status.State.ShouldBe(RebuildState.Failed);
        status.Failure!.ShouldContain("The event log is unavailable");
        (await EpochAsync()).ShouldBe(epoch);
        History.Available = true;
        ShouldBeDone(await Projector.RebuildAsync());
    }

    [Theory]
    [InlineData("DELETE FROM read_next.products WHERE id = 7")]
    [InlineData("UPDATE read_next.orders SET version = version - 1 WHERE id = 1")]
    [InlineData("UPDATE read_next.users SET is_deleted = true WHERE id = 2")]
    public async Task Tables_that_differ_from_the_log_are_not_switched(string damage)
    {
        await FillAsync();
        var epoch = await EpochAsync();
        var answers = 0;
        // The first answers are the identity and the log, the next ones are the catching up.
        History.BeforeAnswer = () => ++answers == 3 ? Store.ExecuteAsync(damage) : Task.CompletedTask;

        var status = await Projector.RebuildAsync();

        status.State.ShouldBe(RebuildState.Failed);
        status.Failure!.ShouldContain("differ from the event log");
        (await EpochAsync()).ShouldBe(epoch);
        await ShouldBeOfTheLogAsync();
    }

    private LogEntry[] AddOneOfEach(string name) =>
    [
        History.Category(1, name),
        History.User(1, name, "Last"),
        History.Product(1, name),
        History.Order(1, 1, name == "applied" ? "Shipped" : "Delivered", (1, 1, 1m)),
        History.Review(1, 1, 1, name.Length % 5),
    ];

    private Task<string> CheckpointsAsync() => Store.ScalarAsync<string>(
        "SELECT string_agg(concat_ws(' ', resource, position, event_id), ', ' ORDER BY resource) "
        + "FROM read.checkpoints");

    private async Task<bool> HoldsAsync(int[] numbers)
    {
        using var history = new EventHistory();
        RandomHistory.Fill(history, numbers);
        await Store.ClearAsync();
        await using var projector = new TestProjector(Store.Database.Projector, history);
        await projector.Watch.CompareAsync(CancellationToken.None);
        var before = await Store.DocumentsAsync();
        var segments = await SegmentsAsync();

        ShouldBeDone(await projector.RebuildAsync());

        (await Store.DocumentsAsync()).ShouldBe(before);
        (await SegmentsAsync()).ShouldBe(segments);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(history.Entries).Documents());
        (await Store.TornRowsAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        return true;
    }

    private Task<string> SegmentsAsync() => Store.ScalarAsync<string>(
        "SELECT coalesce(string_agg(concat_ws(' ', category_id, segment, product_count), ',' ORDER BY "
        + $"category_id, segment), '') FROM {ReadTables.CategorySegments}");
}
