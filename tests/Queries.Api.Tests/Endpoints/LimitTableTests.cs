using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.Limits;
using ApexShop.Queries.Api.Endpoints;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Streaming;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class LimitTableTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    // The options' defaults, and not the settings of a test.
    private static IReadOnlyList<LimitLine> Defaults => new LimitTable(
        Options.Create(new LimitOptions()),
        Options.Create(new ReadingOptions()),
        Options.Create(new StreamingOptions())).Lines;

    private IReadOnlyList<LimitLine> Table => shop.App.Services.GetRequiredService<LimitTable>().Lines;

    [Fact]
    public void The_table_of_the_docs_has_the_defaults() => DocTable.ShouldBe(
        "limits.md",
        "| limit | value | unit | beyond it |",
        [.. Defaults.Select(line => $"| {line.Name} | {line.Value} | {line.Unit} | {line.Beyond} |")],
        "## Queries");

    [Fact]
    public async Task The_limits_need_no_key()
    {
        using var anybody = shop.App.CreateClient();
        var lines = (await anybody.JsonAsync("limits")).GetProperty("limits").EnumerateArray();
        lines.Select(line => new LimitLine(
            line.GetProperty("name").GetString()!,
            line.GetProperty("value").GetInt64(),
            line.GetProperty("unit").GetString()!,
            line.GetProperty("beyond").GetString()!)).ShouldBe(Table);
    }

    [Fact]
    public async Task A_query_has_a_limited_number_of_parameters_and_the_error_does_not_repeat_them()
    {
        var many = string.Join(
            '&', Enumerable.Range(0, 1000).Select(i => i.ToString("x", CultureInfo.InvariantCulture)));
        using var answer = await shop.Http.GetAsync($"products/v2?{many}");
        (await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid")).TryGetProperty("errors", out _)
            .ShouldBeFalse();
        answer.Content.Headers.ContentLength!.Value.ShouldBeLessThan(500);

        var most = string.Join('&', Enumerable.Range(0, (int)Value("parameters")).Select(i => $"x{i}=1"));
        using var named = await shop.Http.GetAsync($"products/v2?{most}");
        (await named.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid"))
            .Named().Length.ShouldBe((int)Value("parameters"));
    }

    [Theory]
    [InlineData("q")]
    [InlineData("email")]
    public async Task A_text_may_be_as_long_as_its_limit_and_not_one_longer(string parameter)
    {
        var resource = parameter == "q" ? "products" : "users";
        var end = parameter == "q" ? "" : "@b.example";
        async Task<HttpStatusCode> StatusAsync(long length)
        {
            using var answer = await shop.Http.GetAsync(
                $"{resource}/v2?{parameter}={new string('x', (int)length - end.Length)}{end}");
            return answer.StatusCode;
        }

        (await StatusAsync(Value(parameter))).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(Value(parameter) + 1)).ShouldBe(HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task The_request_line_and_the_headers_have_their_limits()
    {
        var path = "/health/live?"
            + new string('x', (int)Value("requestLine") - "GET /health/live? HTTP/1.1\r\n".Length);
        (await RawAsync(path, [])).ShouldStartWith("HTTP/1.1 200");
        (await RawAsync(path + "x", [])).ShouldStartWith("HTTP/1.1 414");
        (await RawAsync("/limits", [.. Enumerable.Range(0, (int)Value("headers") - 2).Select(i => $"X{i}: y")]))
            .ShouldStartWith("HTTP/1.1 200");
        (await RawAsync("/limits", [.. Enumerable.Range(0, (int)Value("headers") - 1).Select(i => $"X{i}: y")]))
            .ShouldStartWith("HTTP/1.1 431");
        (await RawAsync("/limits", ["X: " + new string('y', (int)Value("headerBytes"))]))
            .ShouldStartWith("HTTP/1.1 431");
    }

    private long Value(string name) => Table.Single(line => line.Name == name).Value;

    private async Task<string> RawAsync(string path, IEnumerable<string> headers)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(shop.Http.BaseAddress!.Host, shop.Http.BaseAddress.Port);
        var head = string.Join("\r\n", [$"GET {path} HTTP/1.1", "Host: shop", "Connection: close", .. headers, "", ""]);
        await client.GetStream().WriteAsync(Encoding.Latin1.GetBytes(head));
        var first = new byte[12];
        await client.GetStream().ReadExactlyAsync(first);
        return Encoding.Latin1.GetString(first);
    }
}
