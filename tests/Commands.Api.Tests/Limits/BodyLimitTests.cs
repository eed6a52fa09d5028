using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using ApexShop.Commands.Api.Tests.Bulk;

namespace ApexShop.Commands.Api.Tests.Limits;

public sealed class BodyLimitTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const int Most = 64 * 1024;
    private const int MostOfList = 10 * 1024 * 1024;

    [Theory]
    [InlineData(Most, false, HttpStatusCode.Created)]
    [InlineData(Most, true, HttpStatusCode.Created)]
    [InlineData(Most + 1, false, HttpStatusCode.RequestEntityTooLarge)]
    [InlineData(Most + 1, true, HttpStatusCode.RequestEntityTooLarge)]
    public async Task A_body_may_have_its_limit_and_not_one_byte_more(int size, bool isChunked, HttpStatusCode status)
    {
        var categories = await CategoriesAsync();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/categories");
        request.Content = new ByteArrayContent(Body(size));
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        request.Headers.TransferEncodingChunked = isChunked;
        using var response = await app.Http.SendAsync(request);

        var answer = await Answer.ReadAsync(response);
        answer.Status.ShouldBe(status, answer.Text);
        if (status != HttpStatusCode.Created) answer.ShouldBeProblem(status, "body.too_large");
        (await CategoriesAsync()).ShouldBe(categories + (status == HttpStatusCode.Created ? 1 : 0));
    }

    [Theory]
    [InlineData(MostOfList, HttpStatusCode.Created)]
    [InlineData(MostOfList + 1, HttpStatusCode.RequestEntityTooLarge)]
    public async Task A_body_with_a_list_has_a_limit_of_its_own(int size, HttpStatusCode status)
    {
        // The comma before an item and the white space count for it: each has almost all the bytes it may have.
        var item = """{"name":"Lights"}""".PadRight(64 * 1024 - 2);
        var items = string.Join(',', Enumerable.Repeat(item, 160));
        using var content = new StringContent(
            $"[{items.PadLeft(size - 2)}]", Encoding.UTF8, "application/json");
        using var response = await app.Http.PostAsync("/categories/bulk", content);

        var answer = await Answer.ReadAsync(response);
        answer.Status.ShouldBe(status, answer.Text);
        if (status != HttpStatusCode.Created) answer.ShouldBeProblem(status, "body.too_large");
    }

    /// <summary>A list within one body is validated whole, and each item may have several errors.</summary>
    [Theory]
    [InlineData("POST", "/orders", """{"userId":1,"shippingAddress":"x","items":[{}]}""")]
    [InlineData("POST", "/products", """{"name":"x","price":1,"stock":1,"categoryId":1,"images":[{}]}""")]
    [InlineData("PATCH", "/products/{0}", """{"images":[{}]}""")]
    public async Task Of_very_many_errors_of_one_body_the_first_hundred_are_listed(
        string method, string path, string body)
    {
        var product = await app.ProductAsync();
        var many = body.Replace("{}", string.Join(',', Enumerable.Repeat("{}", 20_000)), StringComparison.Ordinal);
        using var request = new HttpRequestMessage(
            new HttpMethod(method), string.Format(CultureInfo.InvariantCulture, path, product));
        var type = method == "PATCH" ? "application/merge-patch+json" : "application/json";
        request.Content = new StringContent(many, Encoding.UTF8, type);
        using var response = await app.Http.SendAsync(request);

        var answer = await Answer.ReadAsync(response);
        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.ErrorPaths.Length.ShouldBe(100);
    }

    [Theory]
    [InlineData(Most + 1, false)]
    [InlineData(Most + 1, true)]
    [InlineData(4 * Most, false)]
    [InlineData(4 * Most, true)]
    public async Task A_client_that_sends_the_whole_body_first_gets_the_reason(int size, bool isChunked)
    {
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        string framing = isChunked
            ? "Transfer-Encoding: chunked"
            : string.Create(CultureInfo.InvariantCulture, $"Content-Length: {size}");
        await connection.SendAsync(
            RawConnection.Head("POST /categories", "Content-Type: application/json", "Connection: close", framing));
        if (isChunked) await connection.SendAsync(string.Create(CultureInfo.InvariantCulture, $"{size:x}\r\n"));
        await connection.SendAsync(Body(size));
        if (isChunked) await connection.SendAsync("\r\n0\r\n\r\n");

        var answer = await connection.ReadAsync();
        answer.ShouldStartWith("HTTP/1.1 413 ");
        answer.ShouldContain("\"code\":\"body.too_large\"");
    }

    [Fact]
    public async Task A_client_that_expects_100_continue_does_not_have_to_send_the_body()
    {
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(RawConnection.Head(
            "POST /categories", "Content-Type: application/json", "Connection: close", "Expect: 100-continue",
            "Content-Length: 99999999999"));

        (await connection.ReadAsync()).ShouldStartWith("HTTP/1.1 413 ");
    }

    [Theory]
    [InlineData("/console?", 8 * 1024, "HTTP/1.1 200 ")]
    [InlineData("/console?", 8 * 1024 + 1, "HTTP/1.1 414 ")]
    public async Task The_request_line_has_its_limit(string path, int size, string expected)
    {
        // The two bytes of the line end count.
        var fixedPart = $"GET {path} HTTP/1.1\r\n".Length;
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(
            RawConnection.Head($"GET {path}{new string('x', size - fixedPart)}", "Connection: close"));

        (await connection.ReadAsync()).ShouldStartWith(expected);
    }

    [Theory]
    [InlineData(100, "HTTP/1.1 200 ")]
    [InlineData(101, "HTTP/1.1 431 ")]
    public async Task The_number_of_headers_has_its_limit(int count, string expected)
    {
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        var more = Enumerable.Range(0, count - 3).Select(i => string.Create(CultureInfo.InvariantCulture, $"X-{i}: 1"));
        await connection.SendAsync(RawConnection.Head("GET /limits", ["Connection: close", .. more]));

        (await connection.ReadAsync()).ShouldStartWith(expected);
    }

    [Theory]
    [InlineData(0, "HTTP/1.1 200 ")]
    [InlineData(1, "HTTP/1.1 431 ")]
    public async Task The_size_of_all_headers_has_its_limit(int over, string expected)
    {
        var head = RawConnection.Head("GET /limits", "Connection: close", "X: ");
        // Without the request line and the empty line at the end.
        var counted = head.Length - "GET /limits HTTP/1.1\r\n".Length - "\r\n".Length;
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(
            RawConnection.Head(
                "GET /limits", "Connection: close", "X: " + new string('y', (32 * 1024) - counted + over)));

        (await connection.ReadAsync()).ShouldStartWith(expected);
    }

    private static byte[] Body(int size)
    {
        var body = Encoding.ASCII.GetBytes(new string(' ', size));
        "{\"name\":\"x\"}"u8.CopyTo(body);
        return body;
    }

    private Task<long> CategoriesAsync() => app.ScalarAsync<long>("SELECT count(*) FROM shop.categories");
}
