using ApexShop.Migrating;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Migrations;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>The verb <c>migrate</c>: migrates schema <c>shop</c> as its owner; a running API never migrates.</summary>
internal static class ShopMigration
{
    public const string Verb = "migrate";

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(500);

    public static async Task ApplyAsync(string? shopOwner, CancellationToken ct)
    {
        if (shopOwner is null) throw new InvalidOperationException("ConnectionStrings:ShopOwner is not configured.");
        // A migration may have to rewrite every row. Not pooled: a closed connection releases its locks.
        var settings = new NpgsqlConnectionStringBuilder(shopOwner) { CommandTimeout = 0, Pooling = false };
        settings.Options =
            $"{settings.Options} {LockRetry.SessionOptions} -c lock_timeout={LockRetry.Timeout}".TrimStart();
        await using var connection = new NpgsqlConnection(settings.ConnectionString);
        await ConnectionRetry.RunAsync(() => connection.OpenAsync(ct), TimeProvider.System, ct);
        // Another migration may take hours, longer than all attempts for a lock.
        while (!await TryLockAsync(connection, ct)) await Task.Delay(pause, TimeProvider.System, ct);
        await LockRetry.RunAsync(
            async () =>
            {
                await using var db = CreateContext(settings.ConnectionString);
                await db.Database.MigrateAsync(ct);
            },
            TimeProvider.System,
            ct);
    }

    public static ShopDbContext CreateContext(string connectionString) =>
        new(new DbContextOptionsBuilder<ShopDbContext>()
            .UseNpgsql(connectionString, npgsql => npgsql
                .MigrationsHistoryTable(HistoryRepository.DefaultTableName, ShopDbContext.Schema))
            .Options);

    private static async Task<bool> TryLockAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(
            "SELECT pg_try_advisory_lock(hashtext('shop.migrations'))", connection);
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }
}
