using ApexShop.Migrating;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Migrations;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>The verb <c>migrate</c>: migrates schema <c>shop</c> as its owner; a running API never migrates.</summary>
internal static class ShopMigration
{
    public const string Verb = "migrate";

    public static async Task ApplyAsync(string? shopOwner, CancellationToken ct)
    {
        if (shopOwner is null) throw new InvalidOperationException("ConnectionStrings:ShopOwner is not configured.");
        // A migration may have to rewrite every row. Not pooled: a closed connection releases its locks.
        var settings = new NpgsqlConnectionStringBuilder(shopOwner) { CommandTimeout = 0, Pooling = false };
        settings.Options =
            $"{settings.Options} {MigrationLock.SessionOptions} -c lock_timeout={LockRetry.Timeout}".TrimStart();
        await using var connection = new NpgsqlConnection(settings.ConnectionString);
        await ConnectionRetry.RunAsync(() => connection.OpenAsync(ct), TimeProvider.System, ct);
        await MigrationLock.TakeAsync(connection, "shop.migrations", TimeProvider.System, ct);
        await LockRetry.RunAsync(
            async () =>
            {
                await using var db = CreateContext(connection, isOwned: false);
                await db.Database.MigrateAsync(ct);
            },
            TimeProvider.System,
            ct);
    }

    public static ShopDbContext CreateContext(string connectionString) =>
        CreateContext(new NpgsqlConnection(connectionString), isOwned: true);

    private static ShopDbContext CreateContext(NpgsqlConnection connection, bool isOwned) =>
        new(new DbContextOptionsBuilder<ShopDbContext>()
            .UseNpgsql(connection, isOwned, npgsql => npgsql
                .MigrationsHistoryTable(HistoryRepository.DefaultTableName, ShopDbContext.Schema))
            .Options);
}
