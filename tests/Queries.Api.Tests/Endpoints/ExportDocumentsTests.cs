using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Queries.Api.Streaming;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class ExportDocumentsTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory, ClassData(typeof(EveryResource))]
    public async Task An_export_is_a_file_with_a_line_for_every_living_document(string resource)
    {
        using var answer = await shop.Http.GetAsync($"{resource}/export/ndjson");
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Content.Headers.ContentType!.ToString().ShouldBe("application/x-ndjson");
        answer.Content.Headers.ContentDisposition!.ToString().ShouldBe($"attachment; filename={resource}.ndjson");
        answer.Headers.CacheControl!.NoStore.ShouldBeTrue();
        answer.Headers.GetValues("Export-Limit").ShouldBe(["100000"]);
        (await answer.Content.ReadAsStringAsync()).ShouldBe(Lines(resource, FewOfEach.Living));
    }

    [Theory, ClassData(typeof(EveryResource))]
    public async Task HEAD_has_the_headers_of_GET(string resource)
    {
        using var get = await shop.Http.GetAsync($"{resource}/export/ndjson");
        using var request = new HttpRequestMessage(HttpMethod.Head, $"{resource}/export/ndjson");
        using var head = await shop.Http.SendAsync(request);

        (await head.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
        // The length is not known in advance.
        get.Content.Headers.ContentLength = null;
        head.Content.Headers.Select(Plain).ShouldBe(get.Content.Headers.Select(Plain));
        string[] names = ["Cache-Control", "Export-Limit"];
        foreach (var name in names) head.Headers.GetValues(name).ShouldBe(get.Headers.GetValues(name));
    }

    [Theory]
    [InlineData("products?categoryId=2&sort=-price")]
    [InlineData("products?minPrice=20&isActive=true&limit=4")]
    [InlineData("orders?fromDate=2020-01-01&minAmount=100")]
    [InlineData("reviews?minRating=3&sort=newest")]
    [InlineData("users?isActive=true&sort=id")]
    public async Task An_export_has_the_documents_of_the_stream_in_the_same_order(string list)
    {
        using var stream = await shop.Http.GetAsync(list.Replace("?", "/stream?"), "Accept", "application/x-ndjson");
        (await shop.Http.GetStringAsync(list.Replace("?", "/export/ndjson?")))
            .ShouldBe(await stream.Content.ReadAsStringAsync());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(29)]
    [InlineData(int.MaxValue)]
    public async Task An_export_continues_after_an_id_even_if_it_is_deleted(int after)
    {
        var rest = FewOfEach.Living.Where(id => id > after);
        (await shop.Http.GetStringAsync($"reviews/export/ndjson?after={after}")).ShouldBe(Lines("reviews", rest));
    }

    [Theory]
    [InlineData("products", "after=3&sort=name", "after")]
    [InlineData("orders", "after=3&fromDate=2020-01-01", "after")]
    [InlineData("products", "after=-1", "after")]
    [InlineData("products", "after=x", "after")]
    [InlineData("products", "limit=0", "limit")]
    [InlineData("products", "page=1", "page")]
    [InlineData("products", "sort=stock", "sort")]
    public async Task A_parameter_that_is_unknown_or_malformed_is_rejected_by_name(
        string resource, string query, string named)
    {
        using var answer = await shop.Http.GetAsync($"{resource}/export/ndjson?{query}");
        var problem = await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
        problem.Named().ShouldBe([named]);
        answer.Content.Headers.ContentDisposition.ShouldBeNull();
    }

    [Fact]
    public async Task An_export_in_another_order_than_that_of_ids_explains_why_it_cannot_be_resumed()
    {
        using var answer = await shop.Http.GetAsync("products/export/ndjson?after=3&sort=name");
        (await answer.Content.ReadAsStringAsync()).ShouldContain("sort=id");
    }

    [Fact]
    public async Task Exports_of_limited_length_continue_to_the_end_of_the_list()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:MaxExported", 10);
        using var http = app.CreateClient();
        var (whole, last, count) = ("", 0, 0);
        do
        {
            using var answer = await http.GetAsync($"products/export/ndjson?limit=99&after={last}");
            answer.Headers.GetValues("Export-Limit").ShouldBe(["10"]);
            var text = await answer.Content.ReadAsStringAsync();
            string[] lines = text.Split('\n')[..^1];
            (whole, count) = (whole + text, lines.Length);
            last = JsonElement.Parse(lines[^1]).GetProperty("id").GetInt32();
        }
        while (count == 10);

        whole.ShouldBe(Lines("products", FewOfEach.Living));
    }

    [Fact]
    public async Task Each_caller_may_begin_a_limited_number_of_exports()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .WithKey(0, "one", Scopes.OrdersRead).WithKey(1, "other", Scopes.OrdersRead).With("Streaming:Exports", 2);
        using var one = Caller(app, "one");
        foreach (var path in (string[])["products", "orders"])
        {
            using var refused = await one.GetAsync($"{path}/export/ndjson?page=1");
            refused.StatusCode.ShouldBe(HttpStatusCode.BadRequest);
            (await one.GetAsync($"{path}/export/ndjson")).StatusCode.ShouldBe(HttpStatusCode.OK);
        }

        using var third = await one.GetAsync("reviews/export/ndjson");
        await third.ShouldBeProblemAsync(HttpStatusCode.TooManyRequests, "rate.exceeded");
        third.Headers.RetryAfter!.Delta!.Value.TotalSeconds.ShouldBeInRange(1, 60);
        third.Headers.CacheControl!.NoStore.ShouldBeTrue();
        (await one.SendAsync(new(HttpMethod.Head, "reviews/export/ndjson"))).StatusCode.ShouldBe(HttpStatusCode.OK);
        (await one.GetAsync("reviews/stream")).StatusCode.ShouldBe(HttpStatusCode.OK);
        foreach (var key in (string?[])["other", null])
        {
            using var caller = Caller(app, key);
            (await caller.GetAsync("reviews/export/ndjson")).StatusCode.ShouldBe(HttpStatusCode.OK);
        }
    }

    [Fact]
    public async Task After_Retry_After_an_export_is_possible_again()
    {
        new StreamingOptions()
            .ShouldSatisfyAllConditions(usual => usual.Exports.ShouldBe(5), usual => usual.ExportSeconds.ShouldBe(60));
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:Exports", 1)
            .With("Streaming:ExportSeconds", 5);
        using var http = app.CreateClient();
        var began = Stopwatch.GetTimestamp();
        (await http.GetAsync("products/export/ndjson")).StatusCode.ShouldBe(HttpStatusCode.OK);
        using var next = await http.GetAsync("products/export/ndjson");
        // On a slow machine it may be in the next window.
        if (next.StatusCode == HttpStatusCode.TooManyRequests)
            (Stopwatch.GetElapsedTime(began) + next.Headers.RetryAfter!.Delta!.Value)
                .ShouldBeGreaterThanOrEqualTo(TimeSpan.FromSeconds(5));
        await Eventually.Holds(
            async () => (await http.GetAsync("products/export/ndjson")).StatusCode == HttpStatusCode.OK,
            "another window, another export");
    }

    private static HttpClient Caller(QueriesApp app, string? key)
    {
        var http = app.CreateClient();
        if (key is not null) http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        return http;
    }

    private static string Lines(string resource, IEnumerable<int> ids) =>
        string.Concat(ids.Select(id => Encoding.UTF8.GetString(Documents.Body(resource, id)) + '\n'));

    private static string Plain(KeyValuePair<string, IEnumerable<string>> header) =>
        $"{header.Key}: {string.Join(',', header.Value)}";
}
