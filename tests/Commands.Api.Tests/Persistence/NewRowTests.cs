using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

public sealed class NewRowTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    // More than the ids that EF Core reads at a time.
    private const int Rows = 20;

    [Fact]
    public async Task A_command_that_waits_for_a_connection_does_not_stop_one_that_has_the_last()
    {
        await using var connections = NpgsqlDataSource.Create(
            new NpgsqlConnectionStringBuilder(app.Database.Commands) { MaxPoolSize = 1, Timeout = 10 });
        var options = new DbContextOptionsBuilder<ShopDbContext>().UseNpgsql(connections)
            .UseApplicationServiceProvider(app.Services).Options;
        await using var first = new ShopDbContext(options);
        await using var second = new ShopDbContext(options);
        await using var transaction = await first.Database.BeginTransactionAsync();

        var waiting = AddAsync(second);
        await AddAsync(first);
        waiting.IsCompleted.ShouldBeFalse("the only connection is in use");
        await transaction.RollbackAsync();
        await waiting;
    }

    private static async Task AddAsync(ShopDbContext db)
    {
        for (var row = 0; row < Rows; row++)
        {
            var product = Product.New(new("Walnut desk", 1, 1, 1), DateTimeOffset.UnixEpoch);
            await db.AddNewAsync(product, CancellationToken.None);
        }
    }
}
