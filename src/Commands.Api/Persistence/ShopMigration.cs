using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>The verb <c>migrate</c>: migrates schema <c>shop</c> as its owner; a running API never migrates.</summary>
internal static class ShopMigration
{
    public const string Verb = "migrate";

    public static async Task ApplyAsync(string? shopOwner, CancellationToken ct)
    {
        if (shopOwner is null) throw new InvalidOperationException("ConnectionStrings:ShopOwner is not configured.");
        await using var db = CreateContext(shopOwner);
        await db.Database.MigrateAsync(ct);
    }

    public static ShopDbContext CreateContext(string connectionString) =>
        new(new DbContextOptionsBuilder<ShopDbContext>()
            .UseNpgsql(connectionString, npgsql => npgsql
                .MigrationsHistoryTable(HistoryRepository.DefaultTableName, ShopDbContext.Schema))
            .Options);
}
