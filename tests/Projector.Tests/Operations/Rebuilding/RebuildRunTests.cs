using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>One rebuild at a time, over all Projectors, whatever becomes of them.</summary>
public sealed class RebuildRunTests(ReadStore store) : RebuildingTest(store)
{
    private const string EndSessionsSql = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'apexshop-projector-lock' AND datname = current_database()
        """;

    [Fact]
    public async Task During_a_rebuild_no_other_Projector_begins_one_or_switches_tables()
    {
        await FillAsync();
        await using var other = new TestProjector(Store.Database.Projector, History);
        RebuildStatus? reported = null;
        var refusals = new List<string?>();
        History.BeforeAnswer = async () =>
        {
            History.BeforeAnswer = () => Task.CompletedTask;
            (await other.Rebuilder.BeginAsync("Another test.", null, CancellationToken.None)).ShouldBeNull();
            refusals.Add((await other.Previous.RollBackAsync(null, CancellationToken.None))?.Code);
            refusals.Add((await other.Previous.DropAsync(CancellationToken.None))?.Code);
            reported = await other.Record.ReadAsync(CancellationToken.None);
        };

        ShouldBeDone(await Projector.RebuildAsync());

        refusals.ShouldBe(["rebuild.running", "rebuild.running"]);
        reported!.ShouldSatisfyAllConditions(
            status => status.State.ShouldBe(RebuildState.Running),
            status => status.Phase.ShouldBe(RebuildPhase.Reading));
        ShouldBeDone(await other.RebuildAsync());
    }

    [Theory]
    [InlineData(RebuildPhase.Reading)]
    [InlineData(RebuildPhase.Comparing)]
    public async Task A_rebuild_whose_session_was_lost_switches_nothing_and_does_not_block_the_next(string phase)
    {
        await FillAsync();
        var (epoch, shape, answers) = (await EpochAsync(), await ShapeAsync(), 0);
        // The identity, the log, and then the events after it: there are none, so the comparison is the next statement.
        History.BeforeAnswer = () => ++answers == (phase == RebuildPhase.Reading ? 1 : 3)
            ? Store.ExecuteAsync(EndSessionsSql)
            : Task.CompletedTask;

        var status = await Projector.RebuildAsync();

        status.State.ShouldBe(RebuildState.Failed);
        status.Phase.ShouldBe(phase);
        (await EpochAsync(), await ShapeAsync()).ShouldBe((epoch, shape));
        ShouldBeDone(await Projector.RebuildAsync());
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_rebuild_whose_Projector_ended_is_reported_as_failed()
    {
        await FillAsync();
        // As it stands there when the process was killed.
        await Store.ExecuteAsync("""
            INSERT INTO read.rebuilds (status)
                VALUES ('{"state":"running","phase":"copying","cause":"","documents":{},"position":3,"seconds":1.5,
                "startedAt":null,"failure":null,"parkedAggregates":0,"canRollBack":false}');
            """);

        var status = await Projector.Record.ReadAsync(CancellationToken.None);

        status.State.ShouldBe(RebuildState.Failed);
        status.Failure!.ShouldContain("ended");
        status.Phase.ShouldBe(RebuildPhase.Copying);
    }

    [Fact]
    public async Task A_rebuild_whose_Projector_stops_ends_as_failed()
    {
        await FillAsync();
        using var stopping = new CancellationTokenSource();
        History.BeforeAnswer = stopping.CancelAsync;

        var status = await Projector.RebuildAsync(stopping.Token);

        status.State.ShouldBe(RebuildState.Failed);
        status.Failure.ShouldStartWith("The Projector that ran it was stopped.");
    }

    [Fact]
    public async Task A_migration_waits_for_the_end_and_a_rebuild_does_not_begin_during_one()
    {
        await FillAsync();
        await using var migrating = new NpgsqlConnection(Store.Database.Projector);
        await migrating.OpenAsync();
        const string key = "hashtext('read.schema_versions')";
        await using (var take = new NpgsqlCommand($"SELECT pg_advisory_lock({key})", migrating))
            await take.ExecuteNonQueryAsync();

        (await Projector.Rebuilder.BeginAsync("A test.", null, CancellationToken.None)).ShouldBeNull();

        await using (var free = new NpgsqlCommand($"SELECT pg_advisory_unlock({key})", migrating))
            await free.ExecuteNonQueryAsync();
        ShouldBeDone(await Projector.RebuildAsync());
    }

    [Fact]
    public async Task A_migration_during_a_rebuild_waits_and_changes_the_new_tables()
    {
        await FillAsync();
        // The table of the release before.
        await Store.ExecuteAsync(
            "ALTER TABLE read.changes DROP COLUMN is_removed; DELETE FROM read.schema_versions WHERE version = 10");
        var (answers, migration, isWaiting) = (0, Task.CompletedTask, false);
        // The first answers are the identity and the log, the next ones are the catching up: the new tables exist.
        History.BeforeAnswer = async () =>
        {
            if (++answers != 3) return;
            migration = ReadSchema.MigrateAsync(Store.Database.Projector, CancellationToken.None);
            await Task.WhenAny(migration, Task.Delay(TimeSpan.FromSeconds(1)));
            isWaiting = !migration.IsCompleted;
        };

        ShouldBeDone(await Projector.RebuildAsync());
        await migration.WaitAsync(TimeSpan.FromSeconds(60));

        isWaiting.ShouldBeTrue();
        await Projector.ApplyAsync(History.Product(1, "After the upgrade"));
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_rebuild_ends_although_each_of_its_steps_finds_many_new_events()
    {
        await FillAsync();
        const int enough = 200;
        var (answers, waiting) = (0, new List<LogEntry>());
        // With each answer the log has 60 more events, which are applied unless the rebuild holds the lock.
        History.BeforeAnswer = async () =>
        {
            if (++answers > enough) return;
            waiting.AddRange(Enumerable.Range(1, 60).Select(id => History.Review(id, 1, 1, 1 + (answers % 5))));
            if (await IsLockedAsync()) return;
            await Projector.ApplyAsync(waiting);
            waiting.Clear();
        };

        ShouldBeDone(await Projector.RebuildAsync());

        answers.ShouldBeLessThan(enough, "it ends while the log grows");
        History.BeforeAnswer = () => Task.CompletedTask;
        await Projector.ApplyAsync(waiting);
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task A_rebuild_is_not_done_before_its_cache_tags_are_raised()
    {
        await FillAsync();
        var end = await SwitchWithoutRedisAsync(async () =>
            (await Projector.Record.ReadAsync(CancellationToken.None)).State.ShouldBe(RebuildState.Running));

        ShouldBeDone(end);
    }

    [Fact]
    public async Task A_rebuild_whose_Projector_ended_after_the_switch_is_done()
    {
        await FillAsync();
        await Store.ExecuteAsync("""
            INSERT INTO read.rebuilds (status)
            SELECT '{"state":"failed","seconds":1}' FROM generate_series(1, 4)
            """);
        var (status, isDue) = (RebuildStatus.None, false);

        await SwitchWithoutRedisAsync(async () =>
        {
            await Store.ExecuteAsync(EndSessionsSql);
            await Eventually.Holds(IsNotRunningAsync, "the lock is free");
            isDue = await Projector.Record.IsAutomaticDueAsync(CancellationToken.None);
        });

        ShouldBeDone(status);
        isDue.ShouldBeTrue("the rebuilds before the switch do not count");

        async Task<bool> IsNotRunningAsync()
        {
            status = await Projector.Record.ReadAsync(CancellationToken.None);
            return status.State != RebuildState.Running;
        }
    }

    [Fact]
    public async Task Events_that_arrive_faster_than_a_step_applies_them_are_in_the_new_tables_before_the_switch()
    {
        await FillAsync();
        History.MostEntries = 2;
        History.BeforeAnswer = async () =>
        {
            if (await IsCatchingUpAsync()) await Projector.ApplyAsync(History.Product(1, "Renamed meanwhile"));
        };

        ShouldBeDone(await Projector.RebuildAsync());

        History.Entries.Count(entry => entry.Resource == Resource.Products.Name).ShouldBeGreaterThan(20);
        await ShouldBeOfTheLogAsync();
    }

    [Fact]
    public async Task The_status_before_the_first_rebuild_is_none()
    {
        (await Projector.Record.ReadAsync(CancellationToken.None)).ShouldBe(RebuildStatus.None);
    }

    [Fact]
    public async Task Tables_that_cannot_be_locked_are_not_switched_and_the_failure_has_the_reason()
    {
        await FillAsync();
        var epoch = await EpochAsync();
        Projector.Rebuilding.SwitchSeconds = 2;
        await using var backup = await Store.Database.HoldAsync("LOCK TABLE read.reviews IN ACCESS SHARE MODE");

        var rebuilding = Projector.RebuildAsync();
        // Meanwhile messages are applied and documents read.
        await Projector.ApplyAsync(History.Product(1, "Meanwhile"));
        var status = await rebuilding;

        status.State.ShouldBe(RebuildState.Failed);
        status.Failure!.ShouldContain("could not be locked");
        (await EpochAsync()).ShouldBe(epoch);
        await backup.CloseAsync();
        ShouldBeDone(await Projector.RebuildAsync());
        await ShouldBeOfTheLogAsync();
    }

    [Theory]
    [InlineData("LOCK TABLE read_previous.reviews IN ACCESS SHARE MODE")]
    // Only the large values of the table, as one kind of vacuum locks them.
    [InlineData("""
        DO $$ BEGIN
            EXECUTE format('SELECT FROM %s', (SELECT reltoastrelid::regclass FROM pg_class
                WHERE oid = 'read_previous.reviews'::regclass));
        END $$
        """)]
    public async Task Queries_continue_while_a_table_from_before_the_last_rebuild_cannot_be_locked(string hold)
    {
        await FillAsync();
        await Projector.RebuildAsync();
        Projector.Rebuilding.SwitchSeconds = 2;
        await using var session = await Store.Database.HoldAsync(hold);

        var rebuilding = Projector.RebuildAsync();
        while (!rebuilding.IsCompleted)
        {
            await Store.ScalarAsync<long>("SELECT count(*) FROM read.reviews").WaitAsync(TimeSpan.FromSeconds(15));
            await Task.Delay(10);
        }

        (await rebuilding).Failure!.ShouldContain("could not be locked");
        await session.CloseAsync();
        ShouldBeDone(await Projector.RebuildAsync());
        await ShouldBeOfTheLogAsync();
    }

    // A rebuild that has switched the tables, waits for Redis to raise the tags, and has stored its progress meanwhile.
    private async Task<RebuildStatus> SwitchWithoutRedisAsync(Func<Task> whileItWaits)
    {
        using var redis = new PrivateRedis();
        await redis.StartAsync();
        await using var projector = new TestProjector(
            Store.Database.Projector, History, redis.Configuration, redisLimit: TimeSpan.FromSeconds(60));
        await projector.Tags.RaiseStoredAsync(CancellationToken.None);
        var epoch = await EpochAsync();
        await redis.FreezeAsync();
        var rebuilding = projector.RebuildAsync();
        await Eventually.Holds(async () => await EpochAsync() > epoch, "the tables are switched");
        var stored = await StoredAsync();
        await Eventually.Holds(async () => await StoredAsync() != stored, "the progress is stored");

        await whileItWaits();

        await redis.ContinueAsync();
        return await rebuilding;
    }

    private async Task<bool> IsLockedAsync() => await Store.ScalarAsync<long>(
        "SELECT count(*) FROM (SELECT FROM read.projection_state FOR UPDATE SKIP LOCKED) AS free") == 0;

    private Task<string> StoredAsync() =>
        Store.ScalarAsync<string>("SELECT xmin::text FROM read.rebuilds ORDER BY number DESC LIMIT 1");
}
