using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Migrations;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>The verb <c>migrate</c>: migrates schema <c>shop</c> as its owner; a running API never migrates.</summary>
internal static class ShopMigration
{
    public const string Verb = "migrate";

    // Every statement that comes after one that waits for the lock of a table waits behind it. So a migration waits
    // briefly, and lets the others pass before it tries again.
    private const string LockTimeout = "-c lock_timeout=1s";
    private const int Attempts = 100;

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public static async Task ApplyAsync(string? shopOwner, CancellationToken ct)
    {
        if (shopOwner is null) throw new InvalidOperationException("ConnectionStrings:ShopOwner is not configured.");
        var connection = new NpgsqlConnectionStringBuilder(shopOwner);
        connection.Options = $"{connection.Options} {LockTimeout}".TrimStart();
        // A migration may have to rewrite every row.
        connection.CommandTimeout = 0;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await using var db = CreateContext(connection.ConnectionString);
                await db.Database.MigrateAsync(ct);
                return;
            }
            catch (Exception failure) when (IsLocked(failure) && attempt < Attempts)
            {
                await Task.Delay(pause, ct);
            }
        }
    }

    public static ShopDbContext CreateContext(string connectionString) =>
        new(new DbContextOptionsBuilder<ShopDbContext>()
            .UseNpgsql(connectionString, npgsql => npgsql
                .MigrationsHistoryTable(HistoryRepository.DefaultTableName, ShopDbContext.Schema))
            .Options);

    // A command that holds one of the tables may wait for another: then PostgreSQL may end the migration as a deadlock.
    private static bool IsLocked(Exception failure) => failure.GetBaseException() is PostgresException
    {
        SqlState: PostgresErrorCodes.LockNotAvailable or PostgresErrorCodes.DeadlockDetected,
    };
}
