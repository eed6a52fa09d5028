using System.Runtime.CompilerServices;

namespace ApexShop.Client.Tests;

/// <summary>Reads after writes, lists that change, and streams.</summary>
[Collection(ClientShop.Suite)]
public sealed class ReadingTests(ClientShop running) : IDisposable
{
    private readonly ShopClient client = running.Open();

    public void Dispose() => client.Dispose();

    [Fact]
    public async Task Every_read_after_a_write_includes_it()
    {
        await using var queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        using var writer = running.Open(queries: queries);
        var (category, products) = await running.StockAsync(writer);
        for (var stock = 1; stock <= 20; stock++)
        {
            // The event of the category may be applied after that of the product.
            await writer.Categories.PatchAsync(category, new() { ["name"] = $"Lights {stock}" });
            await writer.Products.SetStockAsync(products[0], stock);
            var seen = await writer.Products.GetAsync(products[0]);
            (seen.Stock, seen.Category.Name).ShouldBe((stock, $"Lights {stock}"));
            queries.Seen.Last().Token.ShouldBe(writer.ConsistencyToken.ShouldNotBeNull());
        }

        writer.ConsistencyToken!.Split(", ").Distinct().Count().ShouldBe(8);

        await writer.Products.DeleteAsync(products[0]);
        var list = await ListAsync(writer.Products.ListAsync(new() { CategoryId = [category] }));
        list.ShouldBeEmpty();
    }

    [Fact]
    public async Task Another_client_sees_a_write_with_its_token()
    {
        using var other = running.Open();
        var product = (await running.StockAsync(client)).Products[0];
        for (var stock = 1; stock <= 20; stock++)
        {
            await client.Products.SetStockAsync(product, stock);
            other.ConsistencyToken = client.ConsistencyToken;
            (await other.Products.GetAsync(product)).Stock.ShouldBe(stock);
        }

        client.As(null).ConsistencyToken.ShouldBe(client.ConsistencyToken);
    }

    [Fact]
    public async Task Tokens_that_the_shop_does_not_accept_are_dropped()
    {
        var product = (await running.StockAsync(client)).Products[0];
        await client.Products.GetAsync(product);
        // The shop has another key than when they were made.
        client.ConsistencyToken = "bm90IGEgdG9rZW4, YW5vdGhlciBvbmU";
        (await client.Products.GetAsync(product)).Id.ShouldBe(product);
        client.ConsistencyToken.ShouldBeNull();

        await client.Products.SetStockAsync(product, 3);
        (await client.Products.GetAsync(product)).Stock.ShouldBe(3);
        client.ConsistencyToken.ShouldNotBeNull();
    }

    [Fact]
    public async Task A_walk_over_a_list_that_changes_neither_repeats_nor_skips()
    {
        var (category, products) = await running.StockAsync(client, 40);
        var (kept, deleted) = (products.Where((_, index) => index % 4 != 3).ToList(), new Queue<int>(
            products.Where((_, index) => index % 4 == 3)));
        var query = new ProductQuery { CategoryId = [category], Sort = ProductSort.PriceDescending };
        var walked = new List<int>();
        await foreach (var product in client.Products.ListAsync(query, pageSize: 5))
        {
            walked.Add(product.Id);
            if (walked.Count % 5 != 0 || deleted.Count == 0) continue;
            // One before the place that was read, one after it, and one that goes.
            await client.Products.CreateAsync(new("First", 1000, 1, category));
            await client.Products.CreateAsync(new("Last", 0.5m, 1, category));
            await client.Products.DeleteAsync(deleted.Dequeue());
        }

        walked.ShouldBeUnique();
        walked.Where(kept.Contains).ShouldBe(kept.AsEnumerable().Reverse());
    }

    [Fact]
    public async Task A_stream_is_read_while_it_arrives()
    {
        await using var queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        using var reader = running.Open(queries: queries);
        var (category, products) = await running.StockAsync(reader, 30);
        var go = new TaskCompletionSource();
        queries.Pause(3, go.Task);

        var stream = reader.Products.StreamAsync(new() { CategoryId = [category] }).GetAsyncEnumerator();
        for (var i = 0; i < 3; i++)
        {
            (await stream.MoveNextAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30))).ShouldBeTrue();
            stream.Current.Id.ShouldBe(products[i]);
        }

        go.SetResult();
        var rest = new List<int>();
        while (await stream.MoveNextAsync()) rest.Add(stream.Current.Id);
        rest.ShouldBe(products.Skip(3));
        await stream.DisposeAsync();
    }

    [Fact]
    public async Task Single_documents_batches_facets_suggestions_and_fields_are_read()
    {
        var category = (await client.Categories.CreateAsync(new("Desks"))).Id;
        var input = new ProductInput(
            "Walnut desk", 249.90m, 12, category, "Two drawers", Sku: "D-1", Slug: "walnut-desk",
            Images: [new("/images/desk.svg", "A desk", 800, 600)]);
        var id = (await client.Products.CreateAsync(input)).Id;

        var bySlug = await client.Products.GetBySlugAsync("walnut-desk");
        (bySlug.Id, bySlug.Price, bySlug.Sku, bySlug.Currency).ShouldBe((id, 249.90m, "D-1", "USD"));
        bySlug.Images.ShouldBe(input.Images);
        bySlug.Category.ShouldBe(new Reference(category, "Desks"));
        var batch = await client.Products.GetBatchAsync([int.MaxValue, id], ["id", "name"]);
        batch.Data.Single().Name.ShouldBe("Walnut desk");
        batch.Data.Single().Description.ShouldBeNull();
        batch.Missing.ShouldBe([int.MaxValue]);
        var query = new ProductQuery { CategoryId = [category], MinPrice = 249.90m, InStock = true, Q = "walnut d*" };
        (await client.Products.GetFacetsAsync(query with { Sort = ProductSort.Relevance })).TotalCount.ShouldBe(1);
        (await client.Products.SuggestAsync("walnut & dsek")).ShouldBe(["walnut desk"]);
        (await client.Products.GetPageAsync(query with { Sort = ProductSort.Relevance })).Data.Single().Id.ShouldBe(id);
        query = query with { ModifiedAfter = bySlug.CreatedDate.AddSeconds(-1).ToOffset(TimeSpan.FromHours(2)) };
        (await ListAsync(client.Products.ListAsync(query))).Single().ShouldBe(id);

        var first = await client.Products.GetIfChangedAsync(id, null);
        first.Value!.Id.ShouldBe(id);
        (await client.Products.GetIfChangedAsync(id, first.ETag)).Value.ShouldBeNull();
        await client.Products.SetStockAsync(id, 11, first.ETag);
        (await client.Products.GetIfChangedAsync(id, first.ETag)).Value!.Stock.ShouldBe(11);
    }

    private static async Task<List<int>> ListAsync(
        IAsyncEnumerable<Product> products, [CallerArgumentExpression(nameof(products))] string? what = null)
    {
        var ids = new List<int>();
        await foreach (var product in products) ids.Add(product.Id);
        ids.ShouldBeUnique(what);
        return ids;
    }
}
