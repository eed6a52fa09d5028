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
