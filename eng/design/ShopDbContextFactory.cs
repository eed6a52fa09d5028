using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore.Design;

namespace ApexShop.Design;

/// <summary>Gives dotnet-ef the model; migrations are written without a server.</summary>
internal sealed class ShopDbContextFactory : IDesignTimeDbContextFactory<ShopDbContext>
{
    public ShopDbContext CreateDbContext(string[] args) => ShopMigration.CreateContext("Host=design-time-only");

    private static void Main()
    {
    }
}
