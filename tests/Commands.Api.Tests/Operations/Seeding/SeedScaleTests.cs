using System.Net;

namespace ApexShop.Commands.Api.Tests.Operations.Seeding;

public sealed class SeedScaleTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Concurrent_runs_share_the_work_a_larger_scale_adds_the_rest_and_later_inserts_get_unused_ids()
    {
        var answers = await Task.WhenAll(
            Enumerable.Range(0, 2).Select(_ => app.PostAsync("/admin/seed", new { scale = 1 })));
        answers.ShouldAllBe(answer => answer.Status == HttpStatusCode.OK);
        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.outbox")).ShouldBe(35_015);
        var category = await app.CategoryAsync();
        (await app.PostAsync("/admin/seed", new { scale = 2 })).Status.ShouldBe(HttpStatusCode.OK);

        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.categories")).ShouldBe(31);
        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.users")).ShouldBe(6_000);
        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.order_items")).ShouldBe(25_000);
        (await app.PostAsync("/products", ShopBuilder.ProductBody(category))).ShouldBeCreated("products");
        (await app.PostAsync("/users", ShopBuilder.UserBody("after@seeding.example"))).ShouldBeCreated("users");
        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.products")).ShouldBe(30_001);
    }
}
