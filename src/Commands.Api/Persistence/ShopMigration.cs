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
        var connection = new NpgsqlConnectionStringBuilder(shopOwner);
        connection.Options = $"{connection.Options} -c lock_timeout={LockRetry.Timeout}".TrimStart();
        // A migration may have to rewrite every row.
        connection.CommandTimeout = 0;
        await ConnectionRetry.RunAsync(
            async () =>
            {
                await using var first = new NpgsqlConnection(connection.ConnectionString);
                await first.OpenAsync(ct);
            },
            TimeProvider.System,
            ct);
        await LockRetry.RunAsync(
            async () =>
            {
                await using var db = CreateContext(connection.ConnectionString);
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
}
