using System.Net;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Bulk;

namespace ApexShop.Commands.Api.Tests.Products;

/// <summary>A SKU and a slug belong to one product.</summary>
public sealed class UniqueKeyTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("sku", "product.sku_taken")]
    [InlineData("slug", "product.slug_taken")]
    public async Task A_key_of_another_product_is_refused_to_a_new_one_and_to_a_replacement(string key, string code)
    {
        var categoryId = await app.CategoryAsync();
        await CreateAsync(Body(categoryId, key, "taken"));
        var other = await CreateAsync(Body(categoryId, key, "mine"));

        var created = await app.PostAsync("/products", Body(categoryId, key, "taken"));
        var replaced = await app.PutAsync($"/products/{other}", Body(categoryId, key, "taken"));

        created.ShouldBeProblem(HttpStatusCode.Conflict, code);
        replaced.ShouldBeProblem(HttpStatusCode.Conflict, code);
        await app.ShouldAllHaveSaidAsync("products", [other], "apexshop.product.created", 1);
    }

    [Fact]
    public async Task A_SKU_is_compared_exactly_and_a_deleted_product_gives_its_keys_up()
    {
        var categoryId = await app.CategoryAsync();
        var id = await CreateAsync(Body(categoryId, "sku", "Exact"));
        await CreateAsync(Body(categoryId, "sku", "EXACT"));

        (await app.DeleteAsync($"/products/{id}")).Status.ShouldBe(HttpStatusCode.NoContent);

        await CreateAsync(Body(categoryId, "sku", "Exact"));
    }

    [Theory]
    [InlineData("sku", "product.sku_taken")]
    [InlineData("slug", "product.slug_taken")]
    public async Task Keys_that_are_taken_or_occur_twice_in_a_list_are_named_and_nothing_is_created(
        string key, string code)
    {
        var categoryId = await app.CategoryAsync();
        await CreateAsync(Body(categoryId, key, "here"));
        var list = Enumerable.Range(0, 1000).Select(i => Body(categoryId, key, $"new-{i}")).ToArray();
        (list[17][key], list[800][key], list[999][key]) = ("here", "new-3", null);
        var (before, said) = (await app.CountAsync("products"), await app.CountAsync("outbox"));

        var answer = await app.PostAsync("/products/bulk", list);

        answer.ShouldBeProblem(HttpStatusCode.Conflict, code);
        answer.ErrorPaths.ShouldBe([$"[17].{key}", $"[800].{key}"]);
        (await app.CountAsync("products")).ShouldBe(before);
        (await app.CountAsync("outbox")).ShouldBe(said);
    }

    [Theory]
    [InlineData("sku", "product.sku_taken")]
    [InlineData("slug", "product.slug_taken")]
    public async Task Of_lists_with_the_same_keys_exactly_one_succeeds(string key, string code)
    {
        var categoryId = await app.CategoryAsync();
        var list = Enumerable.Range(0, 10).Select(i => Body(categoryId, key, $"race-{i}")).ToArray();

        var answers = await Task.WhenAll(Enumerable.Range(0, 6).Select(
            i => app.PostAsync("/products/bulk", i % 2 == 0 ? list : list.Reverse())));

        var winner = answers.Where(answer => answer.Status == HttpStatusCode.Created).ShouldHaveSingleItem();
        foreach (var loser in answers.Except([winner])) loser.ShouldBeProblem(HttpStatusCode.Conflict, code);
        await app.ShouldAllHaveSaidAsync("products", winner.Ids, "apexshop.product.created", 1);
    }

    [Fact]
    public async Task A_key_is_refused_to_a_chunk_even_if_the_chunk_changes_the_product_that_has_it()
    {
        var categoryId = await app.CategoryAsync();
        int[] ids = [.. await Task.WhenAll(
            CreateAsync(Body(categoryId, "slug", "swap-0")), CreateAsync(Body(categoryId, "slug", "swap-1")))];

        var answer = await app.PutAsync("/products/bulk", new[] { Item(0, "swap-1"), Item(1, "free") });
        var swapped = JsonElement.Parse(answer.Text.Split('\n')[0]).GetProperty("problem");

        swapped.GetProperty("code").GetString().ShouldBe("product.slug_taken");
        swapped.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe(["[0].slug"]);
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.created", 1);

        Dictionary<string, object?> Item(int place, string slug) =>
            new(Body(categoryId, "slug", slug)) { ["id"] = ids[place] };
    }

    [Fact]
    public async Task A_chunk_keeps_the_keys_of_its_products_and_gives_new_ones()
    {
        var categoryId = await app.CategoryAsync();
        var body = Body(categoryId, "slug", "kept");
        var id = await CreateAsync(body);

        var item = new Dictionary<string, object?>(body) { ["id"] = id, ["sku"] = "K" };

        await app.PutAsync("/products/bulk", new[] { item });

        await app.ShouldAllHaveSaidAsync("products", [id], "apexshop.product.updated", 2);
    }

    private static Dictionary<string, object?> Body(int categoryId, string key, string? value) => new()
    {
        ["name"] = "Lamp", ["price"] = 12.5m, ["stock"] = 10, ["categoryId"] = categoryId, [key] = value,
    };

    private async Task<int> CreateAsync(Dictionary<string, object?> body)
    {
        var answer = await app.PostAsync("/products", body);
        answer.Status.ShouldBe(HttpStatusCode.Created, answer.Text);
        return answer.Id;
    }
}
