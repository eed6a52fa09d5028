using System.Net;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>The id of a refused creation is used by the next one, and by no other.</summary>
public sealed class IdPoolTests : IClassFixture<CommandsApp>
{
    private const int Refusals = 25;

    private readonly CommandsApp app;
    private readonly IdPool pool;

    public IdPoolTests(CommandsApp app)
    {
        (this.app, pool) = (app, app.Services.GetRequiredService<IdPool>());
        // The ids that the test before has left.
        while (pool.Take(typeof(Product)) is not null)
        {
        }
    }

    [Theory]
    [InlineData("products", "product.sku_taken")]
    [InlineData("products", "product.category_unknown")]
    [InlineData("users", "user.email_taken")]
    [InlineData("reviews", "review.exists")]
    public async Task Refused_creations_use_up_no_ids(string resource, string code)
    {
        var (first, refused, next) = await BodiesAsync(code);
        var last = (await app.PostAsync($"/{resource}", first)).Id;

        for (var i = 0; i < Refusals; i++)
        {
            var answer = i % 2 == 0
                ? await app.PostAsync($"/{resource}", refused)
                : (await app.PostKeyedAsync($"{code}-{i}", $"/{resource}", refused)).Answer;
            answer.ShouldBeProblem(HttpStatusCode.Conflict, code);
        }

        var created = await app.PostAsync($"/{resource}", next);
        created.ShouldBeCreated(resource);
        created.Id.ShouldBe(last + 1);
        await app.ShouldHaveSaidAsync(resource, created.Id, $"apexshop.{resource[..^1]}.created", 1);
        (await app.OutboxAsync(resource, created.Id)).ShouldHaveSingleItem();
    }

    [Fact]
    public async Task Creations_at_the_same_time_never_share_an_id()
    {
        var category = await app.CategoryAsync();
        var taken = await CreateAsync(category, "race-taken");

        var answers = await Task.WhenAll(Enumerable.Range(0, 8).Select(async client =>
        {
            var mine = new List<Answer>();
            for (var i = 0; i < Refusals; i++)
            {
                (await app.PostAsync("/products", Body(category, "race-taken")))
                    .ShouldBeProblem(HttpStatusCode.Conflict, "product.sku_taken");
                mine.Add(await app.PostAsync("/products", Body(category, $"race-{client}-{i}")));
            }

            return mine;
        }));

        var ids = answers.SelectMany(mine => mine).Select(answer => answer.Id).ToList();
        ids.ShouldBeUnique();
        // Each client may have one refused id more.
        (ids.Max() - taken).ShouldBeLessThanOrEqualTo(8 * Refusals + 8);
    }

    [Fact]
    public async Task An_id_that_a_row_has_already_is_not_used_again()
    {
        var category = await app.CategoryAsync();
        var first = await CreateAsync(category, "key-1");
        await app.ScalarAsync<object>(
            $"""
            INSERT INTO shop.products
                (id, name, price, stock, is_active, is_featured, category_id, created_date, version)
            VALUES ({first + 1}, 'Lamp', 1, 1, true, false, {category}, now(), 1)
            """);

        (await app.PostAsync("/products", Body(category, "key-2")))
            .ShouldBeProblem(HttpStatusCode.Conflict, "version.overtaken");

        (await CreateAsync(category, "key-2")).ShouldBe(first + 2);
    }

    [Fact]
    public async Task A_refused_row_is_not_inserted_again_and_its_id_is_returned_once()
    {
        var category = await app.CategoryAsync();
        await CreateAsync(category, "scope");
        await using var scope = app.Services.CreateAsyncScope();
        var db = scope.ServiceProvider.GetRequiredService<ShopDbContext>();
        var refused = Product.New(new("Lamp", 1, 1, category) { Sku = "scope" }, DateTimeOffset.UnixEpoch);
        await db.AddNewAsync(refused, CancellationToken.None);
        // Gives it its first version.
        refused.Created();

        await Should.ThrowAsync<DbUpdateException>(db.InsertAsync);
        await db.InsertAsync();

        pool.Take(typeof(Product)).ShouldBe(refused.Id);
        pool.Take(typeof(Product)).ShouldBeNull();
    }

    private static object Body(int categoryId, string sku) =>
        new { name = "Lamp", price = 1, stock = 1, categoryId, sku };

    private async Task<int> CreateAsync(int category, string sku)
    {
        var answer = await app.PostAsync("/products", Body(category, sku));
        answer.ShouldBeCreated("products");
        return answer.Id;
    }

    private async Task<(object First, object Refused, object Next)> BodiesAsync(string code)
    {
        var category = await app.CategoryAsync();
        switch (code)
        {
            case "product.sku_taken":
                return (Body(category, "one"), Body(category, "one"), Body(category, "two"));
            case "product.category_unknown":
                return (Body(category, "three"), Body(int.MaxValue, "four"), Body(category, "four"));
            case "user.email_taken":
                var user = ShopBuilder.UserBody();
                return (user, user, ShopBuilder.UserBody());
            default:
                var (product, other, by) = (await app.ProductAsync(), await app.ProductAsync(), await app.UserAsync());
                return (Review(product, by), Review(product, by), Review(other, by));
        }
    }

    private static object Review(int productId, int userId) => new { productId, userId, rating = 4 };
}
