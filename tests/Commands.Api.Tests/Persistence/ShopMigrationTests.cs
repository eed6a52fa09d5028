using System.Diagnostics;
using ApexShop.Commands.Api.Persistence;
using ApexShop.TestKit;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

public sealed class ShopMigrationTests
{
    private const string BeforeActors = "20261120120000_LeaderLease";

    // From then on a migration stops at its first ALTER TABLE, which is in its transaction.
    private const string HoldSql = """
        CREATE FUNCTION public.hold() RETURNS event_trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
            BEGIN PERFORM pg_advisory_xact_lock(1); END $$;
        CREATE EVENT TRIGGER hold ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION public.hold();
        SELECT pg_advisory_lock(1)
        """;

    /// <summary>A backup reads the log for minutes; a migration that waited for it would delay every command.</summary>
    [Fact]
    public async Task A_migration_that_waits_for_a_reader_delays_no_command()
    {
        await using var database = await TestDatabase.CreateAsync("shop_before_actors", MigrateHalfAsync);
        await using var reader = new NpgsqlConnection(database.ShopOwner);
        await reader.OpenAsync();
        await using var backup = await reader.BeginTransactionAsync();
        await ExecuteAsync(reader, "SELECT count(*) FROM shop.outbox; SELECT count(*) FROM shop.events");
        var migration = ShopMigration.ApplyAsync(database.ShopOwner, CancellationToken.None);

        await using var writer = new NpgsqlConnection(database.Superuser);
        await writer.OpenAsync();
        var slowest = TimeSpan.Zero;
        for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(6);)
        {
            var time = Stopwatch.StartNew();
            await ExecuteAsync(
                writer,
                "SET statement_timeout = '10s'; DELETE FROM shop.outbox WHERE id < 0; SELECT 1 FROM shop.events");
            if (time.Elapsed > slowest) slowest = time.Elapsed;
            await Task.Delay(20);
        }

        slowest.ShouldBeLessThan(TimeSpan.FromSeconds(9));
        if (migration.IsFaulted) await migration;
        migration.IsCompleted.ShouldBeFalse("the reader has not ended");
        await backup.RollbackAsync();
        await migration.WaitAsync(TimeSpan.FromSeconds(60));
        await ExecuteAsync(writer, "SELECT actor FROM shop.events");
    }

    /// <summary>The attempts for a lock would be over in minutes, and that of a large shop may take hours.</summary>
    [Fact]
    public async Task A_migration_waits_for_another_one_without_a_limit()
    {
        await using var database = await TestDatabase.CreateAsync("shop_before_actors", MigrateHalfAsync);
        await using var holder = new NpgsqlConnection(database.Superuser);
        await holder.OpenAsync();
        await ExecuteAsync(holder, HoldSql);
        var first = ShopMigration.ApplyAsync(database.ShopOwner, CancellationToken.None);
        await Eventually.Holds(async () => await WaitingAsync(holder, "advisory") == 1, "the first one is held");
        var second = ShopMigration.ApplyAsync(database.ShopOwner, CancellationToken.None);

        for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(4);)
        {
            (await WaitingAsync(holder, "relation")).ShouldBe(0, "a wait for a table has a limit");
            await Task.Delay(20);
        }

        (first.IsCompleted || second.IsCompleted).ShouldBeFalse();
        await ExecuteAsync(holder, "SELECT pg_advisory_unlock(1)");
        await Task.WhenAll(first, second).WaitAsync(TimeSpan.FromSeconds(60));
    }

    [Fact]
    public async Task A_migration_whose_program_was_killed_frees_its_locks_before_its_statement_ends()
    {
        await using var database = await TestDatabase.CreateAsync("shop_before_actors", MigrateHalfAsync);
        await using var holder = new NpgsqlConnection(database.Superuser);
        await holder.OpenAsync();
        await ExecuteAsync(holder, HoldSql);
        var settings = new NpgsqlConnectionStringBuilder(database.ShopOwner);
        using var way = new TcpProxy(settings.Port);
        settings.Port = way.Port;
        var migration = ShopMigration.ApplyAsync(settings.ConnectionString, CancellationToken.None);
        await Eventually.Holds(async () => await WaitingAsync(holder, "advisory") == 1, "the statement runs");

        way.Cut();

        await Eventually.Holds(
            async () => await CountAsync(holder, "usename = 'shop_owner'") == 0, "its sessions have ended");
        await Should.ThrowAsync<Exception>(() => migration);
    }

    private static Task<long> WaitingAsync(NpgsqlConnection connection, string kind) =>
        CountAsync(connection, $"wait_event_type = 'Lock' AND wait_event = '{kind}'");

    private static async Task<long> CountAsync(NpgsqlConnection connection, string condition)
    {
        await using var command = new NpgsqlCommand(
            $"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND {condition}", connection);
        return (long)(await command.ExecuteScalarAsync())!;
    }

    private static async Task MigrateHalfAsync(TestDatabase database)
    {
        await using var db = ShopMigration.CreateContext(database.ShopOwner);
        await db.GetService<IMigrator>().MigrateAsync(BeforeActors);
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
