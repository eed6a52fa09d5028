namespace ApexShop.Client.Tests;

/// <summary>The tokens that a client keeps.</summary>
[Collection(ClientShop.Suite)]
public sealed class TokenTests(ClientShop running)
{
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
        // Refused once for each token, and then twice because no process is ready.
        client.ConsistencyToken = "bm90, YSB0b2tlbg, bm90IGE, dG9rZW4";
        for (var token = 0; token < 4; token++) queries.Pass();
        for (var attempt = 0; attempt < 2; attempt++) queries.Refuse(503, "0");

        (await client.Products.GetAsync(product)).Id.ShouldBe(product);

        client.ConsistencyToken.ShouldBeNull();
        queries.Seen.Count.ShouldBe(7);
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
}
