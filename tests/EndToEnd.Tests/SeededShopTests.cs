using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.EndToEnd.Tests.Comparison;
using ApexShop.Events;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

/// <summary>A shop after POST /admin/seed, projected to the end.</summary>
public sealed class SeededShop : IAsyncLifetime
{
    public Shop Shop { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        // A pause of the machine is not a search that is too expensive.
        Shop = await Shop.StartAsync(settings: new Dictionary<string, string>
        {
            ["Reading__SearchSeconds"] = "30",
            ["Reading__WaitSeconds"] = "30",
        });
        await SeedAsync();
        await new ShopState(Shop).ProjectedAsync(TimeSpan.FromMinutes(2));
    }

    public async Task SeedAsync()
    {
        using var response = await Shop.Commands.Http.PostAsync("/admin/seed", null);
        var text = await response.Content.ReadAsStringAsync();
        response.IsSuccessStatusCode.ShouldBeTrue(text);
    }

    public async Task DisposeAsync()
    {
        if (Shop is not null) await Shop.DisposeAsync();
    }
}

public sealed class SeededShopTests(SeededShop seeded, ITestOutputHelper output)
    : ShopTests(seeded.Shop, output), IClassFixture<SeededShop>
{
    private const int Page = 100;

    [Fact]
    public async Task The_seed_has_the_promised_size()
    {
        (await CountAsync("categories")).ShouldBe(15);
        (await CountAsync("users")).ShouldBe(3_000);
        (await CountAsync("products")).ShouldBe(15_000);
        (await CountAsync("orders")).ShouldBe(5_000);
        (await CountAsync("order_items")).ShouldBeInRange(12_000, 13_000);
        (await CountAsync("reviews")).ShouldBe(12_000);
    }

    [Fact]
    public Task Every_document_is_what_the_tables_say() => State.DocumentsEqualTablesAsync();

    [Fact]
    public async Task The_log_is_complete_and_its_last_events_equal_the_rows()
    {
        await State.LogIsWholeAsync();
        await State.LogEqualsTablesAsync();
    }

    [Fact]
    public async Task Seeding_again_changes_nothing()
    {
        var before =
            await State.Database.ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'head'");
        await seeded.SeedAsync();
        await State.ProjectedAsync();
        (await State.Database.ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'head'"))
            .ShouldBe(before);
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("orders")]
    [InlineData("reviews")]
    [InlineData("users")]
    public async Task A_stream_gives_exactly_the_documents_once_each(string resource)
    {
        var expected = await BodiesAsync(resource);
        var lines = Encoding.UTF8.GetString(await StreamAsync(resource, "application/x-ndjson"))
            .TrimEnd('\n')
            .Split('\n');
        Same(lines, expected, $"{resource} as NDJSON");

        using var array = JsonDocument.Parse(await StreamAsync(resource, "application/json"));
        Same(array.RootElement.EnumerateArray().Select(one => one.GetRawText()), expected, $"{resource} as JSON");
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("orders")]
    [InlineData("reviews")]
    [InlineData("users")]
    public async Task A_MessagePack_stream_equals_the_documents(string resource)
    {
        var expected = await BodiesAsync(resource);
        var documents = await PythonMessagePack.DecodeAsync(await StreamAsync(resource, "application/x-msgpack"));
        documents.Count.ShouldBe(expected.Count);
        foreach (var (document, body) in documents.Zip(expected))
        {
            PythonMessagePack.AreEqual(document, JsonElement.Parse(body)).ShouldBeTrue($"{document} is not {body}");
        }
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("orders")]
    [InlineData("reviews")]
    [InlineData("users")]
    public async Task Following_the_cursor_gives_exactly_the_documents_once_each(string resource)
    {
        var found = new List<string>();
        var next = $"/{resource}/cursor?pageSize={Page}";
        while (next is not null)
        {
            var page = JsonNode.Parse(await Shop.Queries.Http.GetStringAsync(next))!;
            found.AddRange(page["data"]!.AsArray().Select(one => one!.ToJsonString(Relaxed)));
            next = (bool)page["hasMore"]!
                ? $"/{resource}/cursor?pageSize={Page}&after={Uri.EscapeDataString(page["nextCursor"]!.ToString())}"
                : null;
        }

        Same(found, await BodiesAsync(resource), $"{resource} by cursor");
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("orders")]
    [InlineData("reviews")]
    [InlineData("users")]
    public async Task Following_the_page_numbers_gives_exactly_the_documents_once_each(string resource)
    {
        var expected = await BodiesAsync(resource);
        var found = new List<string>();
        for (var number = 1; ; number++)
        {
            var page = JsonNode.Parse(
                await Shop.Queries.Http.GetStringAsync($"/{resource}/v2?page={number}&pageSize={Page}"))!;
            ((long)page["totalCount"]!).ShouldBe(expected.Count);
            ((long)page["totalPages"]!).ShouldBe((expected.Count + Page - 1) / Page);
            found.AddRange(page["data"]!.AsArray().Select(one => one!.ToJsonString(Relaxed)));
            if (!(bool)page["hasNext"]!) break;
        }

        Same(found, expected, $"{resource} by page");
    }

    private static JsonSerializerOptions Relaxed { get; } =
        new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static void Same(IEnumerable<string> found, List<string> expected, string what)
    {
        var all = found.ToList();
        all.Count.ShouldBe(expected.Count, what);
        for (var i = 0; i < all.Count; i++) all[i].ShouldBe(expected[i], $"{what}, document {i}");
    }

    private async Task<byte[]> StreamAsync(string resource, string format)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, $"/{resource}/stream");
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue(format));
        using var response = await Shop.Queries.Http.SendAsync(request);
        response.IsSuccessStatusCode.ShouldBeTrue($"{resource}: {(int)response.StatusCode}");
        response.Content.Headers.ContentType!.MediaType.ShouldBe(format);
        return await response.Content.ReadAsByteArrayAsync();
    }

    private Task<List<string>> BodiesAsync(string resource) =>
        State.Database.RowsAsync(
            $"SELECT convert_from(body, 'UTF8') FROM read.{resource} WHERE NOT is_deleted ORDER BY id");

    private Task<long> CountAsync(string table) =>
        State.Database.ScalarAsync<long>($"SELECT count(*) FROM shop.{table}");
}
