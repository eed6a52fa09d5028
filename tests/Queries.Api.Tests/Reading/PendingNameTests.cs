using System.Net;
using System.Net.Http.Headers;
using System.Text;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Tests.Reading;

/// <summary>
/// Documents whose names are not written yet: each read shows the new name in the bytes that the document will have.
/// </summary>
public sealed class PendingNameTests(PendingNameTests.Shop shop) : IClassFixture<PendingNameTests.Shop>
{
    // The only ones of their category, customer, product and author.
    private static readonly Dictionary<string, (int Id, string Before, string After)> renamed = new()
    {
        ["products"] = (20, """
            "category":{"id":5,"name":"Books"}
            """, """
            "category":{"id":5,"name":"B\"\\1ü"}
            """),
        ["orders"] = (20, """
            "customer":{"id":20,"name":null}
            """, """
            "customer":{"id":20,"name":"Eve Ray"}
            """),
        ["reviews"] = (20, """
            "product":{"id":20,"name":"Thing"},"user":{"id":20,"name":"Ann B."}
            """, """
            "product":{"id":20,"name":null},"user":{"id":20,"name":"Eve R."}
            """),
    };

    public static TheoryData<string, string> Reads
    {
        get
        {
            var reads = new TheoryData<string, string>();
            foreach (var resource in renamed.Keys)
            {
                var id = renamed[resource].Id;
                foreach (var path in (string[])[
                    $"{id}", $"batch?ids=3,{id}", "v2?page=1&pageSize=50", "v2?page=3&pageSize=7",
                    "?page=1&pageSize=50", "cursor?pageSize=50", "cursor?pageSize=50&sort=newest",
                    "stream", "stream?limit=20", "export/ndjson", "changes?pageSize=50",
                ])
                    reads.Add(resource, path);
            }

            reads.Add("products", "by-slug/" + Documents.Slug(20));
            reads.Add("products", "cursor?categoryId=5");
            reads.Add("products", "v2?categoryId=5&page=1&pageSize=5");
            reads.Add("products", "cursor?inStock=true&sort=-price&pageSize=50");
            reads.Add("products", "stream?categoryId=5");
            reads.Add("orders", "cursor?customerId=20&sort=newest");
            reads.Add("reviews", "stream?productId=20");
            return reads;
        }
    }

    [Theory, MemberData(nameof(Reads))]
    public async Task A_read_shows_the_new_name(string resource, string path)
    {
        var (_, before, after) = renamed[resource];
        var text = await shop.Http.GetStringAsync($"{resource}/{path}".Replace("/?", "?"));

        text.ShouldContain(after);
        text.ShouldNotContain(before);
    }

    [Theory, InlineData("products"), InlineData("orders"), InlineData("reviews")]
    public async Task Other_documents_have_their_bytes(string resource)
    {
        var lines = await shop.Http.GetStringAsync($"{resource}/export/ndjson");

        var (id, before, after) = renamed[resource];
        var expected = FewOfEach.Living.Select(
            living => living == id ? Text(resource, living).Replace(before, after) : Text(resource, living));
        lines.TrimEnd('\n').Split('\n').Take(FewOfEach.Living.Count).ShouldBe(expected);
    }

    [Theory, InlineData("products"), InlineData("orders"), InlineData("reviews")]
    public async Task The_entity_tag_is_not_that_of_the_name_before(string resource)
    {
        var id = renamed[resource].Id;
        using var request = new HttpRequestMessage(HttpMethod.Get, $"{resource}/{id}");
        // Version, epoch and revision of the row.
        request.Headers.IfNoneMatch.Add(new EntityTagHeaderValue($"\"1.{await shop.EpochAsync()}.{id}\""));

        using var response = await shop.Http.SendAsync(request);

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_document_that_was_written_after_the_name_is_not_changed() =>
        (await shop.Http.GetStringAsync("products/31")).ShouldBe(Shop.WrittenLater);

    private static string Text(string resource, int id) => Encoding.UTF8.GetString(Documents.Body(resource, id));

    public sealed class Shop : FewOfEach
    {
        public static string WrittenLater { get; } =
            Text("products", 31).Replace("\"category\":{\"id\":1,", "\"category\":{\"id\":100,");

        protected override async Task SeedAsync()
        {
            await base.SeedAsync();
            await StoreAsync("products", "category", 5, """{"id":5,"name":"B\"\\1ü"}""");
            await StoreAsync("orders", "customer", 20, """{"id":20,"name":"Eve Ray"}""");
            await StoreAsync("reviews", "product", 20, """{"id":20,"name":null}""");
            await StoreAsync("reviews", "user", 20, """{"id":20,"name":"Eve R."}""");
            await StoreAsync("products", "category", 100, """{"id":100,"name":"Later"}""");
            await PutAsync("products", [31], _ => Encoding.UTF8.GetBytes(WrittenLater));
            await ExecuteAsync("UPDATE read.products SET revision = nextval('read.revisions') WHERE id = 31");
        }

        public async Task<long> EpochAsync()
        {
            await using var connection = new Npgsql.NpgsqlConnection(Database.Superuser);
            await connection.OpenAsync();
            await using var epoch = new Npgsql.NpgsqlCommand(
                $"SELECT epoch FROM {ReadTables.ProjectionState}", connection);
            return (long)(await epoch.ExecuteScalarAsync())!;
        }

        private Task StoreAsync(string kind, string member, int key, string reference) => ExecuteAsync(
            $"""
            INSERT INTO {ReadTables.PendingNames} (kind, member, key, reference) VALUES ($1, $2, $3, $4)
            """,
            kind,
            member,
            key,
            reference);
    }
}
