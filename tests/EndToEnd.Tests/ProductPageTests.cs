using System.Net.Http.Json;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Consistency;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

/// <summary>The page of a product: its address, its pictures, its number in the shop's stock.</summary>
public sealed class ProductPageTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    private static readonly object[] images =
    [
        new { url = "/images/product-7.svg", alt = "A \ud83d\udc0e", width = 800, height = 600 },
        new { url = "https://cdn.example.com/7.jpg", alt = (string?)null, width = 1, height = 20_000 },
    ];

    [Fact]
    public async Task A_slug_leads_at_once_to_the_product_that_has_it_now()
    {
        var category = (await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lights"))).Id;
        var (first, made) = await SendAsync(HttpMethod.Post, "/products", Body(category, "lantern"));
        var (bySlug, eTag) = await ReadAsync("/products/by-slug/lantern", made);
        ((int)bySlug["id"]!).ShouldBe(first);
        (await ReadAsync($"/products/{first}", made)).ETag.ShouldBe(eTag);
        JsonNode.DeepEquals(bySlug["images"], JsonSerializer.SerializeToNode(images)).ShouldBeTrue();

        var replacement = Bodies.ProductReplacement(category);
        var (_, released) = await SendAsync(HttpMethod.Put, $"/products/{first}", replacement);
        var (second, moved) = await SendAsync(HttpMethod.Post, "/products", Body(category, "lantern"));

        ((int)(await ReadAsync("/products/by-slug/lantern", moved)).Document["id"]!).ShouldBe(second);
        var earlier = (await ReadAsync($"/products/{first}", released)).Document;
        earlier["slug"].ShouldBeNull();
        earlier["images"]!.AsArray().ShouldBeEmpty();
        await Eventually.Holds(
            async () => (int)(await Shop.Queries.Http.GetFromJsonAsync<JsonNode>("/products/by-slug/lantern"))!["id"]!
                == second,
            "the cached response is the new product's");
        await State.ProjectedAsync();
        await State.DocumentsEqualTablesAsync();
    }

    private static object Body(int categoryId, string slug) =>
        new { name = "Lantern", price = 12.5m, stock = 7, categoryId, sku = slug.ToUpperInvariant(), slug, images };

    private async Task<(int Id, string Token)> SendAsync(HttpMethod method, string path, object body)
    {
        using var request = new HttpRequestMessage(method, path) { Content = JsonContent.Create(body) };
        using var response = await Shop.Commands.Http.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        response.IsSuccessStatusCode.ShouldBeTrue(text);
        return ((int)JsonNode.Parse(text)!["id"]!, response.Headers.GetValues(ConsistencyToken.Header).Single());
    }

    private async Task<(JsonNode Document, string ETag)> ReadAsync(string path, string token)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Add(ConsistencyToken.Header, token);
        using var response = await Shop.Queries.Http.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        response.IsSuccessStatusCode.ShouldBeTrue(text);
        return (JsonNode.Parse(text)!, response.Headers.ETag!.ToString());
    }
}
