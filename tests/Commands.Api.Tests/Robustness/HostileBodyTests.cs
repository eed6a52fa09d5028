using System.Net;
using System.Text;

namespace ApexShop.Commands.Api.Tests.Robustness;

public sealed class HostileBodyTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Product = """{"name":"x","price":1,"stock":1,"categoryId":1}""";
    private const string User = """{"email":"a@b.example","firstName":"A","lastName":"B","password":"12345678"}""";
    private const string Order = """{"userId":1,"shippingAddress":"x","items":[{"productId":1,"quantity":1}]}""";
    private const string Review = """{"productId":1,"userId":1,"rating":5}""";

    [Theory]
    [InlineData("/products", Product, "id")]
    [InlineData("/products", Product, "version")]
    [InlineData("/products", Product, "createdDate")]
    [InlineData("/users", User, "id")]
    [InlineData("/users", User, "passwordHash")]
    [InlineData("/users", User, "lastLoginDate")]
    [InlineData("/orders", Order, "totalAmount")]
    [InlineData("/orders", Order, "status")]
    [InlineData("/reviews", Review, "isVerifiedPurchase")]
    [InlineData("/reviews", Review, "Rating")]
    [InlineData("/categories", """{"name":"x"}""", "__proto__")]
    [InlineData("/categories", """{"name":"x"}""", "$type")]
    public Task What_is_not_for_the_caller_to_say_is_refused_by_name(string path, string body, string member) =>
        ShouldRefuseAsync(path, Encoding.UTF8.GetBytes($"{body[..^1]},\"{member}\":1}}"), "request.invalid", member);

    [Theory]
    [InlineData("{\"name\":\"x\",\"name\":\"y\"}", "request.invalid", "name")]
    [InlineData("{\"name\":[]}", "request.invalid", "name")]
    [InlineData("{\"name\":true}", "request.invalid", "name")]
    [InlineData("{\"name\":\"x\",\"isActive\":1}", "request.invalid", "isActive")]
    [InlineData("{\"name\":\"a\\u0000b\"}", "request.invalid", "name")]
    [InlineData("{\"name\":\"a\\u001bb\"}", "request.invalid", "name")]
    [InlineData("{\"name\":\"a\\nb\"}", "request.invalid", "name")]
    [InlineData("{\"name\":\"a\\u0085b\"}", "request.invalid", "name")]
    [InlineData("{\"name\":\"a\\u2028b\"}", "request.invalid", "name")]
    [InlineData("{\"name\":\"x\",\"description\":\"a\\u0000b\"}", "request.invalid", "description")]
    [InlineData("{\"name\":\"x\",\"description\":\"a\\u0007b\"}", "request.invalid", "description")]
    [InlineData("{\"name\":\"\\ud800\"}", "request.invalid", "name")]
    [InlineData("{\"name\":\"\\udc00\\ud800\"}", "request.invalid", "name")]
    [InlineData("{\"name\":\"a\nb\"}", "request.malformed", null)]
    [InlineData("{\"name\":\"x\"", "request.malformed", null)]
    [InlineData("", "request.malformed", null)]
    [InlineData("   ", "request.malformed", null)]
    public Task Text_that_is_no_text_is_refused(string body, string code, string? member) =>
        ShouldRefuseAsync("/categories", Encoding.UTF8.GetBytes(body), code, member);

    [Theory]
    [InlineData("NaN", "request.malformed")]
    [InlineData("Infinity", "request.malformed")]
    [InlineData("-Infinity", "request.malformed")]
    [InlineData("007", "request.malformed")]
    [InlineData("+1", "request.malformed")]
    [InlineData("0x10", "request.malformed")]
    [InlineData("1e400", "request.invalid")]
    [InlineData("-1e400", "request.invalid")]
    [InlineData("79228162514264337593543950336", "request.invalid")]
    [InlineData("-0.01", "request.invalid")]
    [InlineData("{}", "request.invalid")]
    public Task Numbers_that_are_no_price_are_refused(string number, string code) => ShouldRefuseAsync(
        "/products", Encoding.UTF8.GetBytes($$"""{"name":"x","price":{{number}},"stock":1,"categoryId":1}"""), code,
        code == "request.invalid"
            ? "price"
            : null);

    [Fact]
    public async Task Minus_zero_is_zero()
    {
        var category = await app.CategoryAsync();

        var answer =
            await app.PostAsync("/products", $$"""{"name":"x","price":-0,"stock":-0,"categoryId":{{category}}}""");

        answer.ShouldBeCreated("products");
        (await app.ScalarAsync<string>($"SELECT price || ' ' || stock FROM shop.products WHERE id = {answer.Id}"))
            .ShouldBe("0.00 0");
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-1")]
    [InlineData("2147483647")]
    public async Task Ids_that_no_row_has_are_refused_where_they_are_used(string id)
    {
        var before = await app.SnapshotAsync();
        (await app.PostAsync("/products", $$"""{"name":"x","price":1,"stock":1,"categoryId":{{id}}}"""))
            .ShouldBeProblem(HttpStatusCode.Conflict, "product.category_unknown");
        if (id != "-1")
        {
            (await app.DeleteAsync($"/products/{id}")).ShouldBeProblem(HttpStatusCode.NotFound, "product.not_found");
            (await app.PutAsync($"/categories/{id}", new { name = "x" }))
                .ShouldBeProblem(HttpStatusCode.NotFound, "category.not_found");
        }

        (await app.SnapshotAsync()).ShouldBe(before);
    }

    [Theory]
    [InlineData("2147483648")]
    [InlineData("1e10")]
    [InlineData("1.5")]
    [InlineData("\"1\"")]
    public Task Ids_that_are_no_integers_of_32_bits_are_refused(string id) => ShouldRefuseAsync(
        "/products", Encoding.UTF8.GetBytes($$"""{"name":"x","price":1,"stock":1,"categoryId":{{id}}}"""),
        "request.invalid", "categoryId");

    [Theory]
    [InlineData("2147483648")]
    [InlineData("1e3")]
    [InlineData("1.0")]
    [InlineData("abc")]
    [InlineData("%31%00")]
    [InlineData("1%2F2")]
    public async Task Paths_with_ids_that_are_none_lead_nowhere(string id)
    {
        var answer = await app.DeleteAsync($"/products/{id}");

        answer.Status.ShouldBe(id == "%31%00" ? HttpStatusCode.BadRequest : HttpStatusCode.NotFound);
        if (answer.Status == HttpStatusCode.NotFound) answer.ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");
    }

    [Theory]
    [InlineData("[", "/categories")]
    [InlineData("{\"name\":", "/categories")]
    [InlineData("[", "/products")]
    [InlineData("{\"items\":[", "/orders")]
    [InlineData("[", "/categories/bulk")]
    [InlineData("[{\"name\":", "/categories/bulk")]
    [InlineData("{\"scale\":", "/admin/seed")]
    public async Task Five_thousand_levels_are_refused(string level, string path)
    {
        var before = await app.SnapshotAsync();
        var answer = await app.PostAsync(path, string.Concat(Enumerable.Repeat(level, 5_000)));

        answer.Status.ShouldBe(HttpStatusCode.BadRequest, answer.Text);
        answer.Code.ShouldStartWith("request.");
        (await app.SnapshotAsync()).ShouldBe(before);
    }

    public static TheoryData<byte[]> BodiesThatAreNoUtf8 => new()
    {
        (byte[])[.. "{\"name\":\""u8, 0xC0, 0xAF, .. "\"}"u8],
        (byte[])[.. "{\"name\":\""u8, 0xED, 0xA0, 0x80, .. "\"}"u8],
        (byte[])[.. "{\""u8, 0xFF, .. "\":1}"u8],
        (byte[])[0xFF, 0xFE, .. "{\0}\0"u8],
    };

    [Theory]
    [MemberData(nameof(BodiesThatAreNoUtf8))]
    public async Task Bytes_that_are_no_UTF8_are_refused(byte[] body)
    {
        var before = await app.SnapshotAsync();
        var answer = await PostAsync("/categories", body, "application/json");

        answer.Status.ShouldBe(HttpStatusCode.BadRequest, answer.Text);
        answer.Code.ShouldStartWith("request.");
        (await app.SnapshotAsync()).ShouldBe(before);
    }

    [Theory]
    [InlineData("application/json; charset=utf-8", HttpStatusCode.Created)]
    [InlineData("application/json; charset=\"UTF-8\"", HttpStatusCode.Created)]
    [InlineData("application/json; charset=utf-16", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("application/json; charset=nonsense", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("application/json; charset=utf-8; charset=nonsense", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("application/json; charset=utf-8; charset=utf-16", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("application/json; charset=", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("application/x-www-form-urlencoded", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("multipart/form-data", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("text/json", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("application/problem+json", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("application/merge-patch+json", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("*/*", HttpStatusCode.UnsupportedMediaType)]
    [InlineData(";", HttpStatusCode.UnsupportedMediaType)]
    [InlineData(null, HttpStatusCode.UnsupportedMediaType)]
    public async Task Only_JSON_in_UTF8_is_read(string? contentType, HttpStatusCode status)
    {
        var answer = await PostAsync("/categories", "{\"name\":\"x\"}"u8.ToArray(), contentType);

        answer.Status.ShouldBe(status, answer.Text);
        if (status != HttpStatusCode.Created) answer.ShouldBeProblem(status, "content_type.unsupported");
    }

    [Theory]
    [InlineData("application/json", HttpStatusCode.OK)]
    [InlineData("Application/Merge-Patch+JSON", HttpStatusCode.OK)]
    [InlineData("application/json-patch+json", HttpStatusCode.UnsupportedMediaType)]
    public async Task A_patch_is_a_merge_patch(string contentType, HttpStatusCode status)
    {
        var id = (await PostAsync("/categories", "{\"name\":\"x\"}"u8.ToArray(), "application/json")).Id;
        using var content = new ByteArrayContent("{\"name\":\"y\"}"u8.ToArray());
        content.Headers.TryAddWithoutValidation("Content-Type", contentType);
        using var response = await app.Http.PatchAsync($"/categories/{id}", content);

        response.StatusCode.ShouldBe(status);
        var isRefused = status != HttpStatusCode.OK;
        response.Headers.TryGetValues("Accept-Patch", out var accepted).ShouldBe(isRefused);
        if (isRefused) accepted!.ShouldBe(["application/merge-patch+json, application/json"]);
    }

    [Theory]
    [InlineData("/categories", "gzip")]
    [InlineData("/products/bulk", "br")]
    [InlineData("/products/bulk", "identity, gzip")]
    public async Task A_compressed_body_is_refused(string path, string coding)
    {
        using var content = new ByteArrayContent([0x1F, 0x8B, 0x08, 0x00]);
        content.Headers.TryAddWithoutValidation("Content-Type", "application/json");
        content.Headers.TryAddWithoutValidation("Content-Encoding", coding);
        using var response = await app.Http.PostAsync(path, content);

        response.Headers.GetValues("Accept-Encoding").ShouldBe(["identity"]);
        var answer = await Answer.ReadAsync(response);
        answer.ShouldBeProblem(HttpStatusCode.UnsupportedMediaType, "content_type.unsupported");
        answer.Text.ShouldContain("Content-Encoding");
    }

    [Fact]
    public async Task A_byte_order_mark_is_no_part_of_the_text()
    {
        var answer = await PostAsync("/categories", [0xEF, 0xBB, 0xBF, .. "{\"name\":\"x\"}"u8], "application/json");

        answer.ShouldBeCreated("categories");
        (await app.ScalarAsync<string>($"SELECT name FROM shop.categories WHERE id = {answer.Id}")).ShouldBe("x");
    }

    [Theory]
    [InlineData("/orders/bulk-delete-old", "olderThanDays")]
    [InlineData("/reviews/product/1/bulk-delete-old", "olderThanDays")]
    [InlineData("/users/bulk-deactivate-inactive", "inactiveDays")]
    public async Task Days_that_lead_out_of_the_calendar_are_refused(string path, string parameter)
    {
        var method = path.StartsWith("/users", StringComparison.Ordinal) ? HttpMethod.Patch : HttpMethod.Delete;
        var before = await app.SnapshotAsync();
        foreach (var days in (string[])["-1", "2147483647", "2147483648", "1e3", "", "NaN", "1%001"])
        {
            var answer = await app.SendAsync(method, $"{path}?{parameter}={days}", null);
            answer.Status.ShouldBe(HttpStatusCode.BadRequest, $"{days}: {answer.Text}");
            answer.Code.ShouldStartWith("request.");
        }

        (await app.SnapshotAsync()).ShouldBe(before);
    }

    private async Task ShouldRefuseAsync(string path, byte[] body, string code, string? member)
    {
        var before = await app.SnapshotAsync();
        var answer = await PostAsync(path, body, "application/json");

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, code);
        if (member is not null)
            answer.Body.GetProperty("errors")
                .EnumerateObject()
                .Select(error => error.Name)
                .ShouldBe([member], answer.Text);
        (await app.SnapshotAsync()).ShouldBe(before);
    }

    private async Task<Answer> PostAsync(string path, byte[] body, string? contentType)
    {
        using var content = new ByteArrayContent(body);
        if (contentType is not null) content.Headers.TryAddWithoutValidation("Content-Type", contentType);
        using var response = await app.Http.PostAsync(path, content);
        return await Answer.ReadAsync(response);
    }
}
