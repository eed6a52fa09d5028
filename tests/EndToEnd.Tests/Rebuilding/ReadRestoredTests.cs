using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

/// <summary>
/// Only the read schema is restored, and the log goes on. A change then gets a segment version that a response from
/// after the backup had.
/// </summary>
public sealed class ReadRestoredTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task No_response_that_was_cached_after_the_backup_is_sent_after_the_restore()
    {
        var category = (await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lamps"))).Id;
        var healed = await CreateAsync(category, "Healed");
        var changed = await CreateAsync(category, "First");
        await SeesAsync(changed, "First");
        await ExecuteAsync($"""
            UPDATE read.products SET body = convert_to(replace(convert_from(body, 'UTF8'), 'Healed', 'Broken'), 'UTF8')
            WHERE id = {healed}
            """);
        using var backup = await Backup.TakeAsync(Shop.Database, "read");
        using (var heal = await Shop.Commands.Http.PostAsync($"/admin/parked/products/{healed}/heal", null))
            heal.StatusCode.ShouldBe(HttpStatusCode.OK);
        (await StreamAsync()).ShouldContain("\"Healed\"");
        var cursor = await CursorAsync();
        var epoch = await Shop.EpochAsync();

        await Shop.Projector.KillAsync();
        await backup.RestoreAsync();
        Shop.Projector.Start();
        await Shop.Projector.ReadyAsync();
        await Client.ReplaceAsync(Resource.Products.Name, changed, Bodies.Product(category, "Second"));
        await SeesAsync(changed, "Second");

        (await StreamAsync()).ShouldContain("\"Second\"");
        (await Shop.EpochAsync()).ShouldBeGreaterThan(epoch);
        using var page = await Shop.Queries.Http.GetAsync($"/products/cursor?pageSize=1&after={cursor}");
        page.StatusCode.ShouldBe(HttpStatusCode.Gone);
    }

    private async Task<int> CreateAsync(int category, string name) =>
        (await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, name))).Id;

    private Task<JsonNode> SeesAsync(int product, string name) =>
        Client.SeesAsync(Resource.Products.Name, product, document => (string)document["name"]! == name);

    private Task<string> StreamAsync() => Shop.Queries.Http.GetStringAsync("/products/stream?limit=2000");

    private async Task<string> CursorAsync() =>
        (string)(await Shop.Queries.Http.GetFromJsonAsync<JsonNode>("/products/cursor?pageSize=1"))!["nextCursor"]!;

    private async Task ExecuteAsync(string sql)
    {
        await using var database = NpgsqlDataSource.Create(Shop.Database.Superuser);
        await using var command = database.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
