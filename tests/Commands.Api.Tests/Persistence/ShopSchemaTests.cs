using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Resources;
using ApexShop.TestKit;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

public sealed class ShopSchemaTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public void The_migrations_create_the_whole_model()
    {
        using var db = ShopMigration.CreateContext(app.Database.ShopOwner);

        db.Database.HasPendingModelChanges().ShouldBeFalse();
    }

    [Fact]
    public async Task Migrating_again_changes_nothing()
    {
        await ShopMigration.ApplyAsync(app.Database.ShopOwner, CancellationToken.None);

        var positions = await app.ScalarAsync<string[]>("SELECT array_agg(name) FROM shop.log_positions");
        positions.ShouldNotBeNull().ShouldBe(["head", "published", .. Resource.Names], ignoreOrder: true);
    }

    [Fact]
    public async Task Each_resource_has_a_function_of_its_state()
    {
        foreach (var resource in Resource.All)
        {
            var sql = $"SELECT count(shop.{resource.Singular}_state(r)::text) FROM shop.{resource.Name} AS r";
            (await app.ScalarAsync<long>(sql)).ShouldBeGreaterThanOrEqualTo(0);
        }
    }

    [Fact]
    public async Task Event_ids_are_version_seven_and_ascend_with_time()
    {
        var first = await app.ScalarAsync<Guid>("SELECT shop.uuid_v7()");
        await Eventually.Holds(
            async () =>
            {
                var next = await app.ScalarAsync<Guid>("SELECT shop.uuid_v7()");
                return next.Version == 7 && (next.Variant & 0b1100) == 0b1000
                    && string.CompareOrdinal(next.ToString()[..13], first.ToString()[..13]) > 0;
            },
            "a later id is greater");
        first.Version.ShouldBe(7);
    }

    [Fact]
    public async Task A_concurrent_change_of_a_row_is_refused()
    {
        var id = await app.ProductAsync();
        await using var scope = app.Services.CreateAsyncScope();
        var db = scope.ServiceProvider.GetRequiredService<ShopDbContext>();
        var product = await db.Products.SingleAsync(p => p.Id == id);
        await app.PutAsync($"/products/{id}", ShopBuilder.ReplacementBody(product.CategoryId, name: "Early"));

        product.Replace(new ProductInput.Replacement("Late", 1, product.CategoryId), DateTimeOffset.UnixEpoch);

        await Should.ThrowAsync<DbUpdateConcurrencyException>(() => db.SaveChangesAsync());
    }
}
