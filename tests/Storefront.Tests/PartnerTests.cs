using ApexShop.TestKit;

namespace ApexShop.Storefront.Tests;

/// <summary>The npm package in a browser, in a page of another origin.</summary>
public sealed class PartnerTests(SellingShop shop) : IClassFixture<SellingShop>
{
    [Fact]
    public async Task A_page_of_a_permitted_origin_shows_and_sells_products()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Lampion"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitPartnerAsync();

        (await RunAsync(visit, """
            const { id, name, images } = await shop.products.getBySlug(slug);
            const picture = new Image();
            picture.src = new URL(images[0].url, queries);
            await picture.decode();
            const streamed = [];
            for await (const product of shop.products.stream()) streamed.push(product.id);
            return [name, picture.naturalWidth, streamed.includes(id), await shop.products.suggest('lampoin')].join();
            """, ware, buyer)).ShouldBe("Lampion,800,true,lampion");
        (await RunAsync(visit, """
            const { token, customerId } = await shop.signIn(email, password);
            const customer = shop.as(token);
            const items = [{ productId: (await shop.products.getBySlug(slug)).id, quantity: 2 }];
            const order = { userId: customerId, shippingAddress: '1 Main Street', items };
            const { id } = await customer.orders.create(order);
            const [placed] = (await customer.orders.getPage()).data;
            return [placed.id === id, placed.totalAmount, (await customer.products.getBySlug(slug)).stock].join();
            """, ware, buyer)).ShouldBe("true,25,5");
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task A_page_reads_refusals_and_may_send_no_other_command()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Sconce"), await shop.AddBuyerAsync());
        await using var visit = (await shop.VisitPartnerAsync()).ExpectFailedResponses();

        (await RunAsync(visit, "await shop.signIn(email, 'wrong horse');", ware, buyer))
            .ShouldBe("session.refused");
        (await RunAsync(
            visit, "await shop.as(key).products.setStock((await shop.products.getBySlug(slug)).id, 1);", ware, buyer))
            .ShouldBe("Failed to fetch");
        visit.ForgetComplaints();
    }

    [Theory]
    [InlineData("await shop.products.getBySlug(slug);")]
    [InlineData("await shop.signIn(email, password);")]
    public async Task A_page_of_another_origin_gets_nothing(string script)
    {
        var (ware, buyer) = (await shop.AddWareAsync("Torchere"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitPartnerAsync("localhost");
        (await RunAsync(visit, script, ware, buyer)).ShouldBe("Failed to fetch");
        visit.ForgetComplaints();
    }

    // What the script returns, or the code or message of its error.
    private Task<string> RunAsync(Visit visit, string script, Ware ware, Buyer buyer) =>
        visit.Page.EvaluateAsync<string>($$"""
            async ({ commands, queries, key, slug, email, password }) => {
              const shop = new ShopClient({ commands, queries, retries: 0 });
              try {
                {{script}}
              } catch (error) {
                return error instanceof ShopProblem ? error.code : error.message;
              }
            }
            """, new
        {
            commands = shop.Shop.Commands.Url.ToString(),
            queries = shop.Shop.Queries.Url.ToString(),
            key = TestKeys.Everything,
            slug = ware.Slug,
            email = buyer.Email,
            password = SellingShop.Password,
        });
}
