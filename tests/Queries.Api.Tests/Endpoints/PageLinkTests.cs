using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class PageLinkTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory, ClassData(typeof(EveryResource))]
    public async Task The_first_version_has_its_deprecation_sunset_and_successor_in_headers(string resource)
    {
        var sort = ReadModel.All.Single(model => model.Name == resource).Sorts
            .Last(sort => sort is { IsPublic: true, RequiredFilter: null }).Name;
        using var answer = await shop.Http.GetAsync($"{resource}?page=2&pageSize=10&sort={sort}");

        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        var since = answer.Headers.GetValues("Deprecation").Single();
        since.ShouldStartWith("@");
        var until = DateTimeOffset.ParseExact(
            answer.Headers.GetValues("Sunset").Single(), "R", CultureInfo.InvariantCulture);
        until.ShouldBeGreaterThan(
            DateTimeOffset.FromUnixTimeSeconds(long.Parse(since[1..], CultureInfo.InvariantCulture)));

        var successor = Links(answer)["successor-version"];
        successor.ShouldStartWith($"/{resource}/v2?page=2&pageSize=10&sort=");
        var (old, current) = (await answer.Content.ReadAsStringAsync(), await shop.Http.GetStringAsync(successor));
        current.ShouldBe(old[..^1] + ",\"hasPrevious\":true,\"hasNext\":true}");
    }

    /// <summary>As they are sent: HttpClient would encode them.</summary>
    [Theory]
    [InlineData("sort=\u0001", "HTTP/1.1 400", "")]
    [InlineData(
        "q=a>;rel=\"next\",<https://other.test/", "HTTP/1.1 200",
        "Link: </products/v2?q=a%3E;rel%3D%22next%22,%3Chttps%3A%2F%2Fother.test%2F>; rel=\"successor-version\"")]
    public async Task Characters_that_end_a_link_are_encoded_in_it(string query, string status, string link)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(shop.Http.BaseAddress!.Host, shop.Http.BaseAddress.Port);
        await client.GetStream().WriteAsync(
            Encoding.Latin1.GetBytes($"GET /products?{query} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"));
        using var reader = new StreamReader(client.GetStream());
        var response = await reader.ReadToEndAsync();

        response.ShouldStartWith(status);
        response.ShouldContain(link);
    }

    [Fact]
    public async Task No_other_version_has_these_headers()
    {
        foreach (var path in (string[])["products/v2", "products/cursor", "products/stream", "products/1"])
        {
            using var answer = await shop.Http.GetAsync(path);
            answer.Headers.Contains("Deprecation").ShouldBeFalse();
            answer.Headers.Contains("Sunset").ShouldBeFalse();
        }
    }

    [Theory]
    [InlineData("products", "pageSize=10&isFeatured=false")]
    [InlineData("products/v2", "sort=name&pageSize=10&minPrice=0")]
    [InlineData("orders/v2", "pageSize=10&fromDate=2026-01-01T00:00:00%2B00:00")]
    [InlineData("products/cursor", "pageSize=10&sort=-price&isFeatured=false")]
    [InlineData("users/cursor", "createdAfter=2026-01-01&pageSize=10")]
    public async Task Links_lead_through_the_list_and_back_and_keep_every_other_parameter(string path, string query)
    {
        var pages = new List<string>();
        var (last, next) = ("", $"/{path}?{query}");
        while (next is not null)
        {
            using var answer = await shop.Http.GetAsync(next);
            pages.Add(Data(await answer.Content.ReadAsStringAsync()));
            (last, next) = (next, Links(answer).GetValueOrDefault("next"));
            foreach (var parameter in query.Split('&'))
                Uri.UnescapeDataString(last).ShouldContain(Uri.UnescapeDataString(parameter));
        }

        pages.Count.ShouldBe(3);
        for (var (index, previous) = (pages.Count - 1, (string?)last); previous is not null; index--)
        {
            using var answer = await shop.Http.GetAsync(previous);
            Data(await answer.Content.ReadAsStringAsync()).ShouldBe(pages[index]);
            Links(answer).ContainsKey("prev").ShouldBe(index > 0);
            previous = Links(answer).GetValueOrDefault("prev");
        }
    }

    [Fact]
    public async Task After_the_end_the_previous_page_is_the_last_page()
    {
        using var answer = await shop.Http.GetAsync("products/v2?page=99&pageSize=10");
        Links(answer).ShouldBe(new Dictionary<string, string> { ["prev"] = "/products/v2?pageSize=10&page=3" });
    }

    [Fact]
    public async Task A_value_cannot_break_out_of_its_link()
    {
        const string Value = "%3E%3B%20rel%3D%22x%22%2C%20%3Cy";
        using var answer = await shop.Http.GetAsync($"products/v2?q={Value}&page=2");
        var link = answer.Headers.GetValues("Link").Single();
        Uri.UnescapeDataString(link).ShouldEndWith("&page=1>; rel=\"prev\"");
        link.Count('>'.Equals).ShouldBe(1);
    }

    private static string Data(string page) => page[..page.IndexOf(']', StringComparison.Ordinal)];

    private static Dictionary<string, string> Links(HttpResponseMessage answer) =>
        !answer.Headers.TryGetValues("Link", out var links)
            ? []
            : links.SelectMany(header => header.Split(", <")).Select(link => link.Split(">; rel=", 2))
            .ToDictionary(link => link[1].Trim('"'), link => link[0].TrimStart('<'));
}
