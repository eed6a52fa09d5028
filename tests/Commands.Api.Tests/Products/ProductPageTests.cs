using System.Net;
using System.Text;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Bulk;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Tests.Products;

/// <summary>SKU, slug and images: what a page of a product needs.</summary>
public sealed class ProductPageTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly object[] images =
    [
        new { url = "/images/lamp.svg?v=1", alt = (string?)null, width = 1, height = 20_000 },
        new
        {
            url = "https://cdn.example.com:8080/a.jpg", alt = "Lämp \"<2>\"", width = 800, height = 600,
        },
    ];

    [Fact]
    public async Task They_are_in_the_event_of_a_creation_in_their_order_and_the_event_equals_the_row()
    {
        var id = await CreateAsync(new { sku = "Lamp_1.a-B", slug = "lamp-1", images });

        var state = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.created", 1);
        state.GetProperty("sku").GetString().ShouldBe("Lamp_1.a-B");
        state.GetProperty("slug").GetString().ShouldBe("lamp-1");
        JsonElement.DeepEquals(state.GetProperty("images"), JsonSerializer.SerializeToElement(images)).ShouldBeTrue();
    }

    [Fact]
    public async Task A_request_without_them_has_none_and_the_event_shows_them_all_the_same()
    {
        var id = await app.ProductAsync();

        var state = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.created", 1);
        state.GetProperty("sku").ValueKind.ShouldBe(JsonValueKind.Null);
        state.GetProperty("slug").ValueKind.ShouldBe(JsonValueKind.Null);
        state.GetProperty("images").GetRawText().ShouldBe("[]");
    }

    [Fact]
    public async Task A_replacement_without_them_removes_them_and_one_with_the_same_changes_nothing()
    {
        var page = new { sku = "REPLACED", slug = "replaced", images };
        var id = await CreateAsync(page);

        (await app.PutAsync($"/products/{id}", await BodyAsync(page, id))).ShouldBeReplaced(id, 1);
        (await app.PutAsync($"/products/{id}", await BodyAsync(new { }, id))).ShouldBeReplaced(id, 2);

        var state = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.updated", 2);
        state.GetProperty("sku").ValueKind.ShouldBe(JsonValueKind.Null);
        state.GetProperty("images").GetArrayLength().ShouldBe(0);
        await CreateAsync(page);
    }

    [Fact]
    public async Task The_order_of_images_is_a_part_of_the_product()
    {
        var id = await CreateAsync(new { images });

        (await app.PutAsync($"/products/{id}", await BodyAsync(new { images = images.Reverse() }, id)))
            .ShouldBeReplaced(id, 2);

        var state = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.updated", 2);
        state.GetProperty("images")[1].GetProperty("url").GetString().ShouldBe("/images/lamp.svg?v=1");
    }

    [Fact]
    public async Task A_list_creates_and_replaces_them_and_a_change_of_the_stock_keeps_them()
    {
        var categoryId = await app.CategoryAsync();
        var body = new { name = "Lamp", price = 1, stock = 1, categoryId, sku = "LIST-1", slug = "list-1", images };
        var ids = (await app.PostAsync("/products/bulk", new[] { body })).Ids;
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.created", 1);

        await app.PutAsync("/products/bulk", new[]
        {
            new { id = ids[0], name = "Lamp", price = 1, categoryId, sku = "LIST-2", slug = "list-2", images },
        });
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.updated", 2);
        await app.PatchStockAsync(ids[0], new { delta = 1 });

        var state = await app.ShouldHaveSaidAsync("products", ids[0], "apexshop.product.stock-changed", 3);
        state.GetProperty("sku").GetString().ShouldBe("LIST-2");
        state.GetProperty("slug").GetString().ShouldBe("list-2");
        JsonElement.DeepEquals(state.GetProperty("images"), JsonSerializer.SerializeToElement(images)).ShouldBeTrue();
    }

    [Fact]
    public async Task A_patch_keeps_them_unless_it_has_them()
    {
        var id = await CreateAsync(new { sku = "PATCHED", slug = "patched", images });

        (await app.SendAsync(HttpMethod.Patch, $"/products/{id}", new { price = 7 })).ShouldBeReplaced(id, 2);
        var kept = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.updated", 2);
        (await app.SendAsync(
            HttpMethod.Patch, $"/products/{id}", new { slug = (string?)null, images = images[1..] }))
            .ShouldBeReplaced(id, 3);
        var changed = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.updated", 3);

        kept.GetProperty("slug").GetString().ShouldBe("patched");
        kept.GetProperty("images").GetArrayLength().ShouldBe(2);
        changed.GetProperty("sku").GetString().ShouldBe("PATCHED");
        changed.GetProperty("slug").ValueKind.ShouldBe(JsonValueKind.Null);
        changed.GetProperty("images")[0].GetProperty("width").GetInt32().ShouldBe(800);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_checksum_of_an_event_is_that_of_its_row_also_with_text_that_the_writers_escape(bool isList)
    {
        var image = new { url = "/lamp.svg", alt = "\ud83d\udc0e \u00a0 \\ \" & <b> \u3042", width = 1, height = 1 };
        var body = await BodyAsync(new { images = new[] { image } });
        var id = isList ? (await app.PostAsync("/products/bulk", new[] { body })).Ids[0] : await CreateAsync(body);

        foreach (var version in (long[])[1, 2])
        {
            var said = (await app.OutboxAsync("products", id))[^1];
            said.Version.ShouldBe(version);
            var row = await app.ScalarAsync<string>(
                $"""
                SELECT encode(sha256(convert_to(shop.product_state(p)::text, 'UTF8')), 'hex')
                FROM shop.products AS p WHERE id = {id}
                """);
            Convert.ToHexStringLower(StateChecksum.Of(Encoding.UTF8.GetBytes(said.Data))).ShouldBe(row);
            await app.PatchStockAsync(id, new { delta = 1 });
        }
    }

    [Theory]
    [InlineData("sku", "")]
    [InlineData("sku", "a b")]
    [InlineData("sku", "LÄMP")]
    [InlineData("sku", "line\n")]
    [InlineData("slug", "")]
    [InlineData("slug", "Lamp")]
    [InlineData("slug", "-lamp")]
    [InlineData("slug", "lamp-")]
    [InlineData("slug", "lamp--1")]
    [InlineData("slug", "lamp_1")]
    [InlineData("slug", "lamp\n")]
    public async Task A_text_of_another_form_is_refused(string member, string text)
    {
        var answer = await app.PostAsync(
            "/products", await BodyAsync(new Dictionary<string, object> { [member] = text }));

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.ErrorPaths.ShouldBe([member]);
    }

    [Theory]
    [InlineData("sku", 64)]
    [InlineData("slug", 120)]
    public async Task A_text_has_a_longest_length(string member, int most)
    {
        var longest = new Dictionary<string, object> { [member] = new string('a', most) };
        var longer = new Dictionary<string, object> { [member] = new string('a', most + 1) };

        await CreateAsync(longest);
        (await app.PostAsync("/products", await BodyAsync(longer))).ErrorPaths.ShouldBe([member]);
    }

    [Theory]
    [InlineData("lamp.svg", 1, 1, "url")]
    [InlineData("//example.com/lamp.svg", 1, 1, "url")]
    [InlineData("/\\example.com/lamp.svg", 1, 1, "url")]
    [InlineData("javascript:alert(1)", 1, 1, "url")]
    [InlineData("ftp://example.com/lamp.svg", 1, 1, "url")]
    [InlineData("https://", 1, 1, "url")]
    [InlineData("/lamp two.svg", 1, 1, "url")]
    [InlineData("", 1, 1, "url")]
    [InlineData("/lamp.svg", 0, 1, "width")]
    [InlineData("/lamp.svg", 1, 20_001, "height")]
    [InlineData("/lamp.svg", null, 1, "width")]
    public async Task An_image_has_an_address_and_a_size(string url, int? width, int? height, string member)
    {
        var image = new { url, width, height };

        var one = await app.PostAsync("/products", await BodyAsync(new { images = new[] { image } }));
        var list = await app.PostAsync(
            "/products/bulk", new[] { await BodyAsync(new { images = new[] { image } }) });

        one.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        one.ErrorPaths.ShouldBe([$"images[0].{member}"]);
        list.ErrorPaths.ShouldBe([$"[0].images[0].{member}"]);
    }

    [Fact]
    public async Task A_product_has_ten_images_of_the_longest_texts_and_not_eleven()
    {
        var image = new { url = "/" + new string('a', 2047), alt = new string('ä', 300), width = 20_000, height = 1 };

        await CreateAsync(new { images = Enumerable.Repeat(image, 10) });
        var more = await app.PostAsync("/products", await BodyAsync(new { images = Enumerable.Repeat(image, 11) }));
        var longUrl = await app.PostAsync(
            "/products", await BodyAsync(new { images = new[] { image with { url = image.url + "a" } } }));
        var longText = await app.PostAsync(
            "/products", await BodyAsync(new { images = new[] { image with { alt = image.alt + "ä" } } }));

        more.ErrorPaths.ShouldBe(["images"]);
        longUrl.ErrorPaths.ShouldBe(["images[0].url"]);
        longText.ErrorPaths.ShouldBe(["images[0].alt"]);
        (await app.PostAsync("/products", await BodyAsync(new { images = new object?[] { null } })))
            .ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
    }

    private async Task<int> CreateAsync(object page)
    {
        var answer = await app.PostAsync("/products", await BodyAsync(page));
        answer.Status.ShouldBe(HttpStatusCode.Created, answer.Text);
        return answer.Id;
    }

    // Of the category that the product has, if it exists.
    private async Task<Dictionary<string, object?>> BodyAsync(object page, int id = 0)
    {
        var categoryId = id == 0
            ? await app.CategoryAsync()
            : await app.ScalarAsync<int>($"SELECT category_id FROM shop.products WHERE id = {id}");
        var body = JsonSerializer.Deserialize<Dictionary<string, object?>>(JsonSerializer.Serialize(page))!;
        foreach (var (name, value) in new Dictionary<string, object>
            { ["name"] = "Lamp", ["price"] = 12.5m, ["categoryId"] = categoryId, ["stock"] = 10 })
            body[name] = value;
        return body;
    }
}
