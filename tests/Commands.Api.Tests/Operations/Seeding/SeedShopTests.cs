using System.Net;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Commands.Api.Operations.Seeding;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Operations.Seeding;

public sealed class SeedShopTests(SeededShop shop) : IClassFixture<SeededShop>
{
    [Theory]
    [InlineData("categories", 15)]
    [InlineData("users", 3_000)]
    [InlineData("products", 15_000)]
    [InlineData("orders", 5_000)]
    [InlineData("order_items", 12_500)]
    [InlineData("reviews", 12_000)]
    [InlineData("outbox", 35_015)]
    public async Task Fills_the_table(string table, long rows) =>
        (await shop.App.ScalarAsync<long>($"SELECT count(*) FROM shop.{table}")).ShouldBe(rows);

    [Fact]
    public void Streams_its_progress_as_lines_and_the_total_last()
    {
        var products = shop.Lines.Where(line => line.GetProperty("kind").GetString() == "products").ToList();
        products.Select(line => line.GetProperty("done").GetInt32())
            .ShouldBe([2_500, 5_000, 7_500, 10_000, 12_500, 15_000]);
        products.ShouldAllBe(line => line.GetProperty("total").GetInt32() == 15_000);
        shop.Lines[^1].GetProperty("kind").GetString().ShouldBe("total");
        shop.Lines[^1].GetProperty("done").GetInt32().ShouldBe(35_015);
    }

    [Theory]
    [InlineData("product", "products")]
    [InlineData("category", "categories")]
    [InlineData("user", "users")]
    [InlineData("order", "orders")]
    [InlineData("review", "reviews")]
    public async Task The_data_of_every_event_equals_its_row_byte_for_byte(string kind, string table)
    {
        var differing = await shop.App.ScalarAsync<long>(
            $"""
            SELECT count(*) FROM shop.{table} AS r
            FULL JOIN (SELECT aggregate_id, data, version FROM shop.outbox
                WHERE resource = '{table}') AS e ON e.aggregate_id = r.id
            WHERE e.data::text IS DISTINCT FROM shop.{kind}_state(r)::text OR e.version IS DISTINCT FROM 1
            """);

        differing.ShouldBe(0);
    }

    [Theory]
    [InlineData("SELECT count(*) FROM shop.orders o WHERE total_amount <> (SELECT sum(total_price) FROM "
        + "shop.order_items i WHERE i.order_id = o.id)")]
    [InlineData("SELECT count(*) FROM shop.order_items i JOIN shop.products p ON p.id = product_id WHERE "
        + "unit_price <> price OR NOT is_active")]
    [InlineData(
        "SELECT count(*) FROM shop.orders WHERE (shipped_date IS NOT NULL) <> (status IN ('Shipped', 'Delivered'))")]
    [InlineData("SELECT count(*) FROM shop.orders WHERE (delivered_date IS NOT NULL) <> (status = 'Delivered')")]
    [InlineData("SELECT count(*) FROM shop.orders WHERE shipped_date < order_date OR delivered_date < shipped_date")]
    [InlineData(
        "SELECT count(*) FROM shop.orders o JOIN shop.users u ON u.id = o.user_id WHERE order_date < u.created_date")]
    [InlineData("""
        SELECT count(*) FROM shop.reviews r WHERE is_verified_purchase <> EXISTS (
            SELECT FROM shop.orders o JOIN shop.order_items i ON i.order_id = o.id
            WHERE o.user_id = r.user_id AND i.product_id = r.product_id AND o.status = 'Delivered')
        """)]
    [InlineData("SELECT count(*) FROM shop.reviews r JOIN shop.products p ON p.id = product_id WHERE "
        + "r.created_date < p.created_date")]
    [InlineData("SELECT count(*) FROM shop.products WHERE (sku ~ '^[A-Z]{3}-[A-Z]{3}-[0-9]{5}$') IS NOT TRUE")]
    [InlineData("SELECT count(*) FROM shop.products WHERE (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$') IS NOT TRUE")]
    [InlineData("""
        SELECT count(*) FROM shop.products CROSS JOIN LATERAL json_array_elements(images) AS image
        WHERE substring(image ->> 'url' FROM '^/images/product-([1-9][0-9]*)[.]svg$')::int BETWEEN 1 AND 400 IS NOT TRUE
        """)]
    [InlineData("SELECT count(*) FROM shop.products WHERE json_array_length(images) NOT IN (1, 2)")]
    public async Task No_row_violates_a_rule_of_the_shop(string violations) =>
        (await shop.App.ScalarAsync<long>(violations)).ShouldBe(0);

    [Fact]
    public async Task The_data_has_realistic_distributions()
    {
        (await shop.App.ScalarAsync<long>("SELECT count(DISTINCT status) FROM shop.orders")).ShouldBe(5);
        (await shop.App.ScalarAsync<long>("SELECT count(DISTINCT rating) FROM shop.reviews")).ShouldBe(5);
        (await shop.App.ScalarAsync<long>("SELECT count(*) FROM shop.products WHERE description IS NULL"))
            .ShouldBeGreaterThan(0);
        (await shop.App.ScalarAsync<long>("SELECT count(*) FROM shop.users WHERE first_name ~ '[^[:ascii:]]'"))
            .ShouldBeGreaterThan(0);
        (await shop.App.ScalarAsync<long>("SELECT count(*) FROM shop.reviews WHERE is_verified_purchase"))
            .ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task A_second_run_changes_nothing()
    {
        var before = await shop.App.ScalarAsync<string>(SeededShop.Fingerprint);

        var lines = await SeededShop.SeedAsync(shop.App);

        lines[^1].GetProperty("added").GetInt32().ShouldBe(0);
        (await shop.App.ScalarAsync<string>(SeededShop.Fingerprint)).ShouldBe(before);
    }

    [Fact]
    public async Task An_interrupted_run_can_be_repeated_and_gives_the_same_shop()
    {
        var other = new CommandsApp();
        await other.InitializeAsync();
        var seeder = other.Services.GetRequiredService<ShopSeeder>();
        await foreach (var progress in seeder.RunAsync(1, CancellationToken.None))
        {
            if (progress is { Resource: "products", Done: >= 5_000 }) break;
        }

        await SeededShop.SeedAsync(other);

        (await other.ScalarAsync<string>(SeededShop.Fingerprint))
            .ShouldBe(await shop.App.ScalarAsync<string>(SeededShop.Fingerprint));
        await other.DisposeAsync();
    }

    [Fact]
    public async Task A_run_after_an_interrupted_one_does_without_what_was_deleted_since()
    {
        var other = new CommandsApp();
        await other.InitializeAsync();
        var seeder = other.Services.GetRequiredService<ShopSeeder>();
        await foreach (var progress in seeder.RunAsync(1, CancellationToken.None))
        {
            if (progress is { Resource: "products", Done: >= 5_000 }) break;
        }

        foreach (var resource in (string[])["users", "products"])
        {
            for (var row = 0; row < 100; row++)
            {
                var id = await other.ScalarAsync<int>($"SELECT max(id) FROM shop.{resource}");
                (await other.DeleteAsync($"/{resource}/{id}")).Status.ShouldBe(HttpStatusCode.NoContent);
            }
        }

        var lines = await SeededShop.SeedAsync(other);

        lines[^1].GetProperty("kind").GetString().ShouldBe("total");
        (await other.ScalarAsync<long>("SELECT count(*) FROM shop.users")).ShouldBe(2_900);
        (await other.ScalarAsync<long>("SELECT count(*) FROM shop.products")).ShouldBe(14_900);
        (await other.ScalarAsync<long>("SELECT count(*) FROM shop.orders")).ShouldBeInRange(4_700, 4_999);
        (await other.ScalarAsync<long>(
            "SELECT count(*) FROM shop.orders AS o WHERE total_amount <> coalesce((SELECT sum(total_price) "
            + "FROM shop.order_items AS i WHERE i.order_id = o.id), 0)")).ShouldBe(0);
        lines[^1].GetProperty("added").GetInt32().ShouldBe(await other.ScalarAsync<int>(
            "SELECT count(*)::integer - 8015 FROM shop.outbox WHERE type NOT LIKE '%deleted'"));
        (await SeededShop.SeedAsync(other))[^1].GetProperty("added").GetInt32().ShouldBe(0);
        await other.DisposeAsync();
    }

    [Fact]
    public async Task A_run_that_fails_ends_with_a_line_that_has_the_code_and_breaks_off()
    {
        var other = new CommandsApp();
        await other.InitializeAsync();
        await other.ScalarAsync<object>("ALTER TABLE shop.orders RENAME TO unavailable");
        using var request = new HttpRequestMessage(HttpMethod.Post, "/admin/seed");
        using var response = await other.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        using var lines = new StreamReader(await response.Content.ReadAsStreamAsync());
        var last = "";
        await Should.ThrowAsync<HttpIOException>(async () =>
        {
            while (await lines.ReadLineAsync() is { } line) last = line;
        });

        var failure = JsonElement.Parse(last);
        failure.GetProperty("kind").GetString().ShouldBe("failure");
        failure.GetProperty("code").GetString().ShouldBe("database.unavailable");
        await other.DisposeAsync();
    }

    [Theory]
    [InlineData("""{"scale":0}""")]
    [InlineData("""{"scale":101}""")]
    [InlineData("""{"scale":"big"}""")]
    public async Task A_scale_out_of_range_is_refused(string body) =>
        (await shop.App.SendAsync(HttpMethod.Post, "/admin/seed", body)).Status.ShouldBe(HttpStatusCode.BadRequest);

    [Theory]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData(Scopes.CatalogWrite, HttpStatusCode.Forbidden)]
    public async Task Needs_the_scope_admin(string? scope, HttpStatusCode status)
    {
        using var client = shop.App.ClientWith(scope);
        using var response = await client.PostAsync("/admin/seed", null);

        response.StatusCode.ShouldBe(status);
    }
}
