using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Auditing;

public sealed class SeededAuditTests(SeededShop seeded, ITestOutputHelper output)
    : ShopTests(seeded.Shop, output), IClassFixture<SeededShop>
{
    // Multiples of a prime that is no factor of any size here: rows from everywhere in the tables.
    private const int Step = 997;

    private static readonly string[] harms =
    [
        $"UPDATE read.products SET body = set_byte(body, 30, get_byte(body, 30) # 1) WHERE id % {Step} = 3",
        $"UPDATE read.products SET stock = stock + 1, price = price + 0.01 WHERE id % {Step} = 5",
        $"UPDATE read.products SET data = data || '{{\"stock\": -1}}' WHERE id % {Step} = 7",
        $"DELETE FROM read.reviews WHERE id % {Step} = 9",
        $"UPDATE read.orders SET version = version + 1 WHERE id % {Step} = 11",
        $"UPDATE read.users SET is_deleted = true, data = NULL, body = NULL WHERE id % {Step} = 13",
        $"DELETE FROM read.product_words WHERE product_id % {Step} = 15",
        "UPDATE read.segments SET document_count = 0 WHERE kind = 'products' AND segment = 4",
        "UPDATE read.category_segments SET product_count = product_count + 1 WHERE segment = 6",
        "INSERT INTO read.categories (id, version, revision, name, data, body) VALUES (9999, 1, 1, 'Ghost', '{}', "
        + "'{}')",
    ];

    [Fact]
    public async Task Documents_damaged_all_over_a_seeded_shop_are_repaired_and_the_queries_are_right_again()
    {
        var clean = await ShopAudit.RunAsync(Shop);
        Output.WriteLine(clean.Summary.ToJsonString());
        clean.Named.ShouldBeEmpty();
        ((long)clean.Summary["compared"]!).ShouldBe(15 + 3_000 + 15_000 + 5_000 + 12_000);

        var product = await State.Database.ScalarAsync<int>($"SELECT min(id) FROM read.products WHERE id % {Step} = 3");
        var before = await State.Database.ScalarAsync<string>(
            $"SELECT convert_from(body, 'UTF8') FROM read.products WHERE id = {product}");
        var harmed = await HarmAsync();
        // Requested for the first time here, and cached.
        (await BodyAsync(product)).ShouldNotBe(before);

        var found = await ShopAudit.RunAsync(Shop);
        found.Different.ShouldBeGreaterThanOrEqualTo(harmed);
        foreach (var line in (string[])[
            "categories/9999 columns", "products/segment 4 sideTable", "products/segment 6 sideTable",
        ])
            found.Named.ShouldContain(line);
        found.Named.ShouldContain(string.Create(CultureInfo.InvariantCulture, $"products/{product} columns"));

        var repaired = await ShopAudit.RunAsync(Shop, repair: true);
        ((long)repaired.Summary["repaired"]!).ShouldBe(repaired.Different);
        (await ShopAudit.RunAsync(Shop)).Different.ShouldBe(0);
        // A repaired document gets a new revision just beyond the end of the log; the next events exceed it.
        for (var i = 0; i < 20; i++) await Client.CreateAsync("categories", Bodies.Category($"Later {i}"));
        await State.ProjectedAsync();
        await State.DocumentsEqualTablesAsync();
        (await BodyAsync(product)).ShouldBe(before);
    }

    [Fact]
    public async Task An_audit_whose_Projector_was_killed_continues_where_it_was()
    {
        using var killed = await Shop.Commands.Http.SendAsync(
            new(HttpMethod.Post, "/admin/audit"), HttpCompletionOption.ResponseHeadersRead);
        using var lines = new StreamReader(await killed.Content.ReadAsStreamAsync());
        var progress = JsonNode.Parse((await lines.ReadLineAsync()).ShouldNotBeNull())!;
        await Shop.Projector.KillAsync();
        await Shop.Projector.StartAsync();

        var rest = await ShopAudit.RunAsync(Shop, after: (string?)progress["next"]);

        ((string?)progress["kind"]).ShouldBe("progress");
        var (first, second) = ((long)progress["compared"]!, (long)rest.Summary["compared"]!);
        first.ShouldBeGreaterThan(0);
        (first + second).ShouldBe((long)(await ShopAudit.RunAsync(Shop)).Summary["compared"]!);
    }

    [Fact]
    public async Task A_position_that_is_none_is_refused()
    {
        using var refused = await Shop.Commands.Http.PostAsync("/admin/audit?after=products", null);

        refused.StatusCode.ShouldBe(HttpStatusCode.BadRequest);
        var problem = JsonNode.Parse(await refused.Content.ReadAsStringAsync())!;
        ((string)problem["code"]!).ShouldBe("request.invalid");
        ((string)problem["errors"]!["after"]![0]!).ShouldContain("rows/products/17");
    }

    [Fact]
    public async Task A_caller_without_the_scope_gets_403_and_a_second_audit_gets_409_while_one_runs()
    {
        using var stranger = new HttpClient { BaseAddress = Shop.Commands.Url };
        using var refused = await stranger.PostAsync("/admin/audit", null);
        refused.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);

        // Holds the lock of a running audit during this test.
        await using var session = new NpgsqlConnection(Shop.Database.Projector + ";Pooling=false");
        await session.OpenAsync();
        await using var take = new NpgsqlCommand("SELECT pg_advisory_lock(hashtext('read.audit'))", session);
        await take.ExecuteNonQueryAsync();

        using var busy = await Shop.Commands.Http.PostAsync("/admin/audit", null);
        busy.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        busy.Headers.RetryAfter.ShouldNotBeNull();
        ((string)JsonNode.Parse(await busy.Content.ReadAsStringAsync())!["code"]!).ShouldBe("audit.running");
    }

    private async Task<int> HarmAsync()
    {
        await using var superuser = NpgsqlDataSource.Create(Shop.Database.Superuser);
        var rows = 0;
        foreach (var harm in harms)
        {
            await using var command = superuser.CreateCommand(harm);
            rows += await command.ExecuteNonQueryAsync();
        }

        // Wrong counts of one segment are one difference, for any number of categories.
        return rows - await State.Database.ScalarAsync<int>(
            "SELECT count(*)::int - 1 FROM read.category_segments WHERE segment = 6");
    }

    private async Task<string> BodyAsync(int id) => await Shop.Queries.Http.GetStringAsync($"/products/{id}");
}
