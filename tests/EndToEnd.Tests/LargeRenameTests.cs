using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.EndToEnd.Tests.Rebuilding;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

/// <summary>A category is renamed that so many products show that they are written again later.</summary>
public sealed class LargeRenameTests(SeededShop seeded, ITestOutputHelper output)
    : ShopTests(seeded.Shop, output), IClassFixture<SeededShop>
{
    [Fact]
    public async Task Every_query_shows_the_new_name_while_no_Projector_runs_and_the_next_one_writes_the_rest()
    {
        var category = await State.Database.ScalarAsync<int>(
            "SELECT category_id FROM read.products GROUP BY category_id ORDER BY count(*) DESC LIMIT 1");
        var products = await WrittenAsync(category, "<> 'Renamed'");
        var copy = new ChangeClient(Shop, Resource.Products.Name);
        await copy.ReadAllAsync();
        await using (await HoldAsync(category))
        {
            await Client.ReplaceAsync(Resource.Categories.Name, category, Bodies.Category("Renamed"));
            await Eventually.Holds(
                async () => await WrittenAsync(category, "= 'Renamed'") > 0, "some documents have the name");
            await Shop.Database.HeldUpAsync("projector");
            await Shop.Projector.KillAsync();
        }

        (await WrittenAsync(category, "<> 'Renamed'")).ShouldBeInRange(1, products - 1);
        (await NamesAsync($"/products/stream?categoryId={category}")).ShouldBe(Enumerable.Repeat("Renamed", products));
        (await NamesAsync("/products/stream")).Count(name => name == "Renamed").ShouldBe(products);

        await Shop.Projector.StartAsync();
        await State.ProjectedAsync();
        (await WrittenAsync(category, "= 'Renamed'")).ShouldBe(products);
        await State.DocumentsEqualTablesAsync();
        await copy.ReadAllAsync();
        copy.Documents.Values.Count(document => NameOf(JsonNode.Parse(document)!) == "Renamed").ShouldBe(products);
        var bytes = await BytesAsync();
        (await Shop.RebuildAsync()).ShouldBeDone();
        (await BytesAsync()).ShouldBe(bytes);
    }

    private static string NameOf(JsonNode product) => (string)product["category"]!["name"]!;

    private async Task<List<string>> NamesAsync(string path) =>
        [.. (await Shop.Queries.Http.GetFromJsonAsync<JsonArray>(path))!.Select(product => NameOf(product!))];

    // As the documents are stored.
    private async Task<int> WrittenAsync(int category, string name) => await State.Database.ScalarAsync<int>($"""
        SELECT count(*)::integer FROM read.products
        WHERE category_id = {category} AND NOT is_deleted AND data -> 'category' ->> 'name' {name}
        """);

    private Task<string> BytesAsync() => State.Database.ScalarAsync<string>(
        "SELECT md5(string_agg(md5(body), '' ORDER BY id)) FROM read.products");

    // Keeps a product in the middle from being written until the connection is disposed.
    private Task<NpgsqlConnection> HoldAsync(int category) => Shop.Database.HoldAsync($"""
        SELECT FROM read.products WHERE id = (
            SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM read.products
            WHERE category_id = {category} AND NOT is_deleted) FOR UPDATE
        """);
}
