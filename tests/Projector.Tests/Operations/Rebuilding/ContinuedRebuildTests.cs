using ApexShop.Operations;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>A rebuild whose Projector ended is continued by the next one.</summary>
public sealed class ContinuedRebuildTests(ReadStore store) : RebuildingTest(store)
{
    private const int TwoPages = 2_000;

    private const string EndSql = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'apexshop-projector-lock' AND datname = current_database()
        """;

    public static TheoryData<string> Steps => new(
        [RebuildSteps.Staged, RebuildSteps.Created, .. Resource.Names, RebuildSteps.Filled]);

    private string shape = "";

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        shape = await ShapeAsync();
        await FillAsync();
        // Parked, and applied by a rebuild.
        await Projector.ApplyAsync(History.Product(2, "Nul \0 character"), History.Product(2, "Readable"));
        History.LogId = "log";
        await Projector.Restores.CompareAsync(CancellationToken.None);
    }

    [Theory]
    [MemberData(nameof(Steps))]
    public async Task A_rebuild_that_ended_in_a_step_is_continued_with_it(string step)
    {
        await EndInAsync(step);
        var completed = await Store.ScalarAsync<string[]>("SELECT array_agg(step) FROM read_next.staged_steps");
        var orders = await FileAsync("read_next.orders");
        await ChangeAsync();

        var status = await Projector.RebuildAsync();

        status.Failure.ShouldBeNull();
        status.Documents.Values.ShouldAllBe(kind => kind.Done == kind.Total);
        completed.ShouldNotContain(step);
        var isFilled = completed.Any(done => done.StartsWith("orders ", StringComparison.Ordinal));
        (await FileAsync("read.orders") == orders).ShouldBe(isFilled, "orders are not filled again");
        await ShouldBeWholeAsync();
    }

    [Fact]
    public async Task A_rebuild_that_ended_within_a_resource_is_continued_after_its_last_transaction()
    {
        for (var id = 100; id < 4_600; id++) History.Product(id, $"Product {id}");
        // Each chunk of 2,000 documents is a transaction.
        Projector.Rebuilding.TransactionDocuments = 1;
        await EndInAsync("products 4%");
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read_next.products")).ShouldBe(2_000);
        var products = await FileAsync("read_next.products");

        var status = await Projector.RebuildAsync();

        status.Failure.ShouldBeNull();
        status.Documents.Values.ShouldAllBe(kind => kind.Done == kind.Total);
        (await FileAsync("read.products")).ShouldBe(products, "products are not copied again");
        await ShouldBeOfTheLogAsync();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(6)]
    [InlineData(11)]
    [InlineData(15)]
    public async Task A_rebuild_that_ended_while_it_catches_up_compares_or_switches_is_continued(int answers)
    {
        // The first three answers are the identity, the log and the events of the parked product.
        var answer = -3;
        History.BeforeAnswer = async () =>
        {
            answer++;
            // Of the resource whose events are read last.
            if (answer == 1) await Projector.ApplyAsync(History.User(1, "Augusta", "King"));
            if (answer == answers) await Store.ExecuteAsync(EndSql);
        };
        (await Projector.RebuildAsync()).State.ShouldBe(RebuildState.Failed);
        var orders = await FileAsync("read_next.orders");
        await ChangeAsync();

        (await Projector.RebuildAsync()).Failure.ShouldBeNull();

        (await FileAsync("read.orders")).ShouldBe(orders, "orders are not filled again");
        await ShouldBeWholeAsync();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_was_read_of_the_log_is_not_read_again(bool isCheckpointLost)
    {
        for (var id = 100; id < 100 + TwoPages; id++) History.Product(id, $"Product {id}");
        using var stopping = new CancellationTokenSource();
        // The first page is stored when the third one is asked for.
        History.BeforeAnswer = () => History.PagesAfter.Count == 3 ? stopping.CancelAsync() : Task.CompletedTask;
        var status = await Projector.RebuildAsync(stopping.Token);
        status.Failure.ShouldBe("The Projector that ran it was stopped. The next rebuild continues it if it can.");
        // As if the process was killed after the rows of the page and before their checkpoints.
        if (isCheckpointLost) await Store.ExecuteAsync("UPDATE read_next.staged_checkpoints SET position = 0");
        History.Product(100, "Renamed", category: 2);
        History.Delete(Resource.Products.Name, 101);

        (await Projector.RebuildAsync()).Failure.ShouldBeNull();

        if (isCheckpointLost) History.PagesAfter[3].ShouldBe(0);
        else History.PagesAfter[3].ShouldBeOneOf(History.PagesAfter[1], History.PagesAfter[2]);
        await ShouldBeOfTheLogAsync();
    }

    [Theory]
    [InlineData("another log")]
    [InlineData("a log without an identity")]
    [InlineData("another event at a checkpoint")]
    [InlineData("another program")]
    [InlineData("another schema")]
    [InlineData("another currency")]
    [InlineData("a crash of the database")]
    public async Task A_rebuild_begins_from_the_start_after(string change)
    {
        await EndInAsync(RebuildSteps.Filled);
        var orders = await FileAsync("read_next.orders");
        if (change == "another log") History.LogId = "another";
        if (change == "a log without an identity") History.LogId = null;
        if (change == "another program")
            await Store.ExecuteAsync("UPDATE read_next.staged_steps SET run = overlay(run PLACING 'x' FROM 40)");
        if (change == "another event at a checkpoint")
            await Store.ExecuteAsync("UPDATE read_next.staged_checkpoints SET event_id = gen_random_uuid()");
        if (change == "another schema")
            await Store.ExecuteAsync("INSERT INTO read.schema_versions (version, name) VALUES (9999, 'test')");
        // It empties the tables that are not logged.
        if (change == "a crash of the database")
            await Store.ExecuteAsync("TRUNCATE read_next.staged_steps, read_next.staged_products");
        await using var other = new TestProjector(
            Store.Database.Projector, History, currency: change == "another currency" ? "EUR" : "USD");

        (await other.RebuildAsync()).Failure.ShouldBeNull();

        await Store.ExecuteAsync("DELETE FROM read.schema_versions WHERE version = 9999");
        (await FileAsync("read.orders")).ShouldNotBe(orders);
        if (change != "another currency") await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_rebuild_whose_new_tables_have_a_parked_event_is_not_continued()
    {
        var unreadable = History.Product(11, "Nul \0 character");
        var answer = -4;
        History.BeforeAnswer = () => ++answer == 1 ? Store.ExecuteAsync(EndSql) : Task.CompletedTask;
        (await Projector.RebuildAsync()).State.ShouldBe(RebuildState.Failed);
        (await Store.ScalarAsync<long>("SELECT position FROM read_next.parked_events")).ShouldBe(unreadable.Position);
        // It is healed in the tables in use meanwhile.
        await Projector.ApplyAsync(History.Product(11, "Readable"));

        var status = await Projector.RebuildAsync();

        (status.Failure, status.ParkedAggregates).ShouldBe((null, 0));
        await ShouldBeWholeAsync();
    }

    [Fact]
    public async Task Its_tables_are_dropped_with_the_previous_ones()
    {
        await EndInAsync(RebuildSteps.Filled);

        (await Projector.Previous.DropAsync(CancellationToken.None)).ShouldBeNull();

        (await Store.ScalarAsync<long>("SELECT count(*) FROM pg_tables WHERE schemaname = 'read_next'")).ShouldBe(0);
    }

    // The session ends in the transaction of the step, as it does when the process is killed.
    private async Task EndInAsync(string step)
    {
        var isSet = false;
        History.BeforeAnswer = async () =>
        {
            if (isSet || History.PagesAfter.Count == 0) return;
            isSet = true;
            await Store.ExecuteAsync($"""
                CREATE OR REPLACE FUNCTION public.end_session() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
                CREATE TRIGGER ends AFTER INSERT ON read_next.staged_steps
                    FOR EACH ROW WHEN (NEW.step LIKE '{step}') EXECUTE FUNCTION public.end_session()
                """);
        };
        (await Projector.RebuildAsync()).State.ShouldBe(RebuildState.Failed);
        await Store.ExecuteAsync("DROP TRIGGER ends ON read_next.staged_steps; DROP FUNCTION public.end_session()");
    }

    // One of each, in the documents and in the log.
    private async Task ChangeAsync()
    {
        await Projector.ApplyAsync(History.Category(1, "Renamed"));
        await Projector.ApplyAsync(History.User(2, "Alonzo", "Church"));
        await Projector.ApplyAsync(
            History.Product(3, "Moved", category: 1), History.Product(13, "New"), History.Delete("products", 4));
        await Projector.ApplyAsync(History.Order(3, 1, "Pending", (3, 1, 1m)));
        await Projector.ApplyAsync(History.Review(4, 3, 2, 1));
    }

    private async Task ShouldBeWholeAsync()
    {
        (await ShapeAsync()).ShouldBe(shape);
        await ShouldBeOfTheLogAsync();
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.parked_events")).ShouldBe(0);
        await ChangeAsync();
        await ShouldBeOfTheLogAsync();
    }

    // The file of its rows, another one after each filling; 0 without the table.
    private Task<uint> FileAsync(string table) => Store.ScalarAsync<uint>(
        $"SELECT coalesce(pg_relation_filenode(to_regclass('{table}')), 0::oid)");
}
