namespace ApexShop.Client.Tests;

/// <summary>The tokens that a client keeps.</summary>
[Collection(ClientShop.Suite)]
public sealed class TokenTests(ClientShop running)
{
    private const string End = """{"done":true,"updated":1,"failed":0}""";

    [Fact]
    public async Task One_that_the_shop_does_not_accept_takes_no_later_one_with_it()
    {
        await using var queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        using var client = running.Open(queries: queries);
        var product = (await running.StockAsync(client)).Products[0];
        client.ConsistencyToken = null;
        await client.Products.SetStockAsync(product, 3);
        var valid = client.ConsistencyToken.ShouldNotBeNull();

        // Without a space after the comma, as another program may write it.
        client.ConsistencyToken = $"bm90IGEgdG9rZW4,{valid}";
        (await client.Products.GetAsync(product)).Stock.ShouldBe(3);

        client.ConsistencyToken.ShouldBe(valid);
        queries.Seen.Select(one => one.Token).ShouldBe([$"bm90IGEgdG9rZW4, {valid}", valid]);
    }

    [Fact]
    public async Task Those_that_the_shop_does_not_accept_take_no_attempt_from_a_read()
    {
        await using var queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        using var client = running.Open(queries: queries);
        var product = (await running.StockAsync(client)).Products[0];
        await client.Products.GetAsync(product);
        queries.Seen.Clear();
        // Refused once for each token, and then twice because no process is ready.
        client.ConsistencyToken = "bm90, YSB0b2tlbg, bm90IGE, dG9rZW4";
        for (var token = 0; token < 4; token++) queries.Pass();
        for (var attempt = 0; attempt < 2; attempt++) queries.Refuse(503, "0");

        (await client.Products.GetAsync(product)).Id.ShouldBe(product);

        client.ConsistencyToken.ShouldBeNull();
        queries.Seen.Count.ShouldBe(7);
    }

    [Fact]
    public async Task The_token_of_a_changed_chunk_replaces_only_those_of_the_chunks_before_it()
    {
        await using var commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        using var client = running.Open(commands);
        client.ConsistencyToken = "other";
        foreach (var token in (string[])["a", "b", "c", "d", "e", "f", "g", "h"]) commands.Respond(Chunk(token), End);
        await ReplaceAsync(client, Enumerable.Repeat(1, 8000));
        client.ConsistencyToken.ShouldBe("other, h");

        commands.Respond(Chunk("i"), End);
        commands.Respond(Chunk("j"), End);
        await ReplaceAsync(client, Enumerable.Repeat(1, 1000).Concat(Enumerable.Repeat(2, 1000)));
        client.ConsistencyToken.ShouldBe("other, h, i, j");
    }

    [Fact]
    public async Task A_token_that_is_returned_again_is_the_newest()
    {
        await using var commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        using var client = running.Open(commands);
        client.ConsistencyToken = "a,b,c,d,e,f,g,h";
        commands.Respond(Chunk("a"), End);
        await ReplaceAsync(client, [2]);
        client.ConsistencyToken.ShouldBe("b, c, d, e, f, g, h, a");
    }

    [Fact]
    public void Of_a_text_the_last_8_are_kept()
    {
        using var client = running.Open();
        client.ConsistencyToken = " a,b ,, c,d,e,f,g,h,i ";
        client.ConsistencyToken.ShouldBe("b, c, d, e, f, g, h, i");

        client.ConsistencyToken = " ";
        client.ConsistencyToken.ShouldBeNull();
    }

    private static string Chunk(string token) =>
        $$"""{"chunk":0,"first":0,"count":1,"items":[{"id":1,"version":2}],"consistencyToken":"{{token}}"}""";

    private static async Task ReplaceAsync(ShopClient client, IEnumerable<int> versions)
    {
        var items = versions.Select(version => new ProductItem(1, "Lamp", 1, 1, Version: version));
        await foreach (var chunk in client.Products.ReplaceManyAsync(items))
            chunk.Items.ShouldBe([new(1, 2)], "the version after the command");
    }
}
