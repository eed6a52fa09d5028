using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;
using ApexShop.TestKit;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>The first leader after a restore or a promotion gives the log another identity.</summary>
public sealed class LogIdentityTests
{
    private static readonly IOptions<OutboxOptions> options =
        Options.Create(new OutboxOptions { Lease = TimeSpan.FromMilliseconds(1) });

    [Fact]
    public async Task Take_overs_at_the_same_server_leave_the_identity()
    {
        await using var database = await NewDatabaseAsync();
        var id = await LedIdAsync(database.Commands);
        id.ShouldMatch("^[0-9a-f]{12}$");

        (await LedIdAsync(database.Commands)).ShouldBe(id);
        (await ScalarAsync<int>(database.Superuser, "SELECT term::int FROM shop.leader")).ShouldBe(2);
    }

    [Fact]
    public async Task A_copied_database_has_an_identity_of_its_own()
    {
        await using var database = await NewDatabaseAsync();
        var id = await LedIdAsync(database.Commands);
        await SequenceAsync(database.Commands, 3);
        NpgsqlConnection.ClearAllPools();
        var name = $"{database.Name}_copy";
        await ScalarAsync<object?>(Servers.Postgres, $"CREATE DATABASE {name} TEMPLATE {database.Name}");
        try
        {
            (await LedIdAsync(In(name, database.Commands))).ShouldNotBe(id);
            (await CommonAsync(In(name, database.Superuser))).ShouldBe(3);
        }
        finally
        {
            NpgsqlConnection.ClearAllPools();
            await ScalarAsync<object?>(Servers.Postgres, $"DROP DATABASE {name} WITH (FORCE)");
        }
    }

    [Fact]
    public async Task A_restored_dump_has_another_identity_and_all_its_events_are_common()
    {
        await using var database = await NewDatabaseAsync();
        var id = await LedIdAsync(database.Commands);
        await SequenceAsync(database.Commands, 3);
        using var backup = await Backup.TakeAsync(database, "shop");
        await SequenceAsync(database.Commands, 2);
        await backup.RestoreAsync();

        var restored = await LedIdAsync(database.Commands);
        restored.ShouldNotBe(id);
        (await CommonAsync(database.Superuser)).ShouldBe(3);
        (await LedIdAsync(database.Commands)).ShouldBe(restored);
    }

    [Fact]
    public async Task A_promoted_replica_has_another_identity_and_all_its_events_are_common()
    {
        await using var primary = await PrivatePostgres.StartAsync();
        await using var database = await NewDatabaseAsync(primary.Superuser);
        var id = await LedIdAsync(database.Commands);
        await SequenceAsync(database.Commands, 3);
        await using var replica = await primary.FollowAsync();
        var promoted = At(replica, database.Commands);
        var superuser = At(replica, database.Superuser);
        await Eventually.Holds(
            async () => await ScalarAsync<long>(superuser, "SELECT count(*) FROM shop.events") == 3, "it follows");
        (await ScalarAsync<bool>(superuser, "SELECT pg_promote()")).ShouldBeTrue();

        (await LedIdAsync(promoted)).ShouldNotBe(id);
        (await CommonAsync(superuser)).ShouldBe(3);
        await database.DisposeAsync();
    }

    [Fact]
    public async Task An_operator_gives_another_identity_with_which_no_event_is_common()
    {
        await using var database = await NewDatabaseAsync();
        var id = await LedIdAsync(database.Commands);
        await SequenceAsync(database.Commands, 3);
        const string recorded = "SELECT string_agg(concat_ws(' ', actor, action), ',') FROM shop.operator_actions";
        (await ScalarAsync<string?>(database.Superuser, recorded)).ShouldBeNull("the leader is no operator");

        var given = await ScalarAsync<string>(database.Superuser, "SELECT shop.renew_log_identity()");
        given.ShouldNotBe(id);
        (await CommonAsync(database.Superuser)).ShouldBe(0);
        (await LedIdAsync(database.Commands)).ShouldBe(given);
        (await ScalarAsync<string?>(database.Superuser, recorded)).ShouldBe("postgres RenewLogIdentity");
    }

    [Fact]
    public async Task A_process_cannot_change_identities_that_were_given()
    {
        await using var database = await NewDatabaseAsync();
        string[] changes = ["UPDATE shop.log_identities SET common_up_to = 9", "DELETE FROM shop.log_identities"];
        foreach (var sql in changes)
            (await Should.ThrowAsync<PostgresException>(() => ScalarAsync<object>(database.Commands, sql)))
                .SqlState.ShouldBe(PostgresErrorCodes.InsufficientPrivilege);
    }

    private static Task<TestDatabase> NewDatabaseAsync(string? server = null) => TestDatabase.CreateAsync(
        "shop", shop => ShopMigration.ApplyAsync(shop.ShopOwner, CancellationToken.None), server);

    /// <summary>The identity after another process has taken the lead.</summary>
    private static async Task<string> LedIdAsync(string commands)
    {
        await using var connection = new NpgsqlConnection(commands);
        await connection.OpenAsync();
        var leading = new LeaderConnection(connection);
        var lease = new LeaderLease(options, NullLogger<LeaderLease>.Instance);
        await Eventually.Holds(
            async () => (await lease.TakeAsync(leading, false, CancellationToken.None)).Term is not null,
            "it leads");
        return await ScalarAsync<string>(commands, $"SELECT {EventLog.IdentitySql}");
    }

    private static async Task SequenceAsync(string commands, int events)
    {
        await using var connection = new NpgsqlConnection(commands);
        await connection.OpenAsync();
        for (var version = 1; version <= events; version++)
            await LogDatabase.WriteAsync(connection, Resource.Users.Name, 1, version);
        var head = new LogHeadSignal();
        var sequencer = new Sequencer(head, new LeaderLease(options, NullLogger<LeaderLease>.Instance), options);
        var term = await ScalarAsync<long>(commands, "SELECT term FROM shop.leader");
        (await sequencer.MoveAsync(new LeaderConnection(connection), term, CancellationToken.None)).ShouldBe(events);
    }

    private static Task<long> CommonAsync(string superuser) => ScalarAsync<long>(
        superuser, "SELECT common_up_to FROM shop.log_identities ORDER BY generation DESC LIMIT 1");

    private static string In(string name, string connection) =>
        new NpgsqlConnectionStringBuilder(connection) { Database = name }.ConnectionString;

    private static string At(PrivatePostgres server, string connection) =>
        new NpgsqlConnectionStringBuilder(connection) { Port = server.Port }.ConnectionString;

    private static async Task<T> ScalarAsync<T>(string connectionString, string sql)
    {
        await using var connection = new NpgsqlConnection($"{connectionString};Pooling=false");
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        return await command.ExecuteScalarAsync() is T value ? value : default!;
    }
}
