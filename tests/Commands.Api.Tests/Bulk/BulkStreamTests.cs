using System.Net;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Commands.Api.Tests.Products;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Configuration;

namespace ApexShop.Commands.Api.Tests.Bulk;

/// <summary>PUT /products/bulk while its body is on its way.</summary>
public sealed class BulkStreamTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const int Chunk = 200;

    [Fact]
    public async Task The_first_line_arrives_before_the_last_item_is_sent()
    {
        var (categoryId, ids) = await app.ProductsAsync(Chunk + 1);
        await using var request =
            await RawRequest.StartAsync(app.Http.BaseAddress!, "/products/bulk", BulkRequests.Lines);

        await request.SendAsync(Text(ids[..Chunk], categoryId));
        (await request.LineAsync()).ShouldStartWith("""{"chunk":0,"first":0,"count":200,"items":[""");
        await app.ShouldAllHaveSaidAsync("products", ids[..Chunk], "apexshop.product.updated", 2);

        await request.SendAsync(Text(ids[Chunk..], categoryId));
        await request.EndAsync();
        (await request.LineAsync()).ShouldStartWith("""{"chunk":1,"first":200,"count":1,"items":[""");
        (await request.LineAsync()).ShouldBe("""{"done":true,"updated":201,"failed":0}""");
    }

    [Fact]
    public async Task Committed_chunks_stay_when_the_caller_disconnects_and_the_rest_is_not_executed()
    {
        var (categoryId, ids) = await app.ProductsAsync(2 * Chunk);
        // A process of its own, so that no other request is counted.
        await using var own = CommandsApp.Start(app.Database.Commands);
        using var client = CommandsApp.Client(own, CommandsApp.Key);
        using var requests = new InstrumentSum(own.Services, "http.server.active_requests");
        await using (
            var request = await RawRequest.StartAsync(client.BaseAddress!, "/products/bulk", BulkRequests.Lines))
        {
            await request.SendAsync(Text(ids[..(Chunk + 50)], categoryId));
            await request.LineAsync();
            requests.Value.ShouldBe(1);
        }

        await Eventually.Holds(() => requests.Value == 0, "the request has ended");
        await Eventually.Holds(async () => await app.ScalarAsync<long>(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in "
            + "transaction%'") == 0, "no transaction is left open");
        await app.ShouldAllHaveSaidAsync("products", ids[..Chunk], "apexshop.product.updated", 2);
        await app.ShouldAllHaveSaidAsync("products", ids[Chunk..], "apexshop.product.created", 1);
    }

    [Fact]
    public async Task A_key_that_was_removed_changes_nothing_more()
    {
        const string key = "a key of a back office";
        using var file = new KeyFile();
        file.Write(key, Scopes.CatalogWrite);
        await using var api = CommandsApp.Start(app.Database.Commands).WithWebHostBuilder(host =>
            host.ConfigureAppConfiguration((_, configuration) =>
                configuration.AddJsonFile(file.Path, optional: false, reloadOnChange: true)));
        api.UseKestrel();
        using var client = CommandsApp.Client(api, key);
        var (categoryId, ids) = await app.ProductsAsync(2 * Chunk);
        await using var request = await RawRequest.StartAsync(
            client.BaseAddress!, "/products/bulk", BulkRequests.Lines, key);
        await request.SendAsync(Text(ids[..Chunk], categoryId));
        (await request.LineAsync()).ShouldStartWith("""{"chunk":0,"first":0,"count":200,"items":[""");

        file.Write("another key", Scopes.CatalogWrite);
        await Eventually.Holds(
            async () => (await client.DeleteAsync("/products/0")).StatusCode == HttpStatusCode.Unauthorized,
            "the key is gone");
        await request.SendAsync(Text(ids[Chunk..], categoryId));

        var refused = await request.LineAsync();
        refused.ShouldStartWith("""{"chunk":1,"first":200,"count":200,"problem":{""");
        refused.ShouldContain("\"access.key_required\"");
        (await request.LineAsync()).ShouldBe("""{"done":false,"updated":200,"failed":200}""");
        await app.ShouldAllHaveSaidAsync("products", ids[Chunk..], "apexshop.product.created", 1);
    }

    [Fact]
    public async Task A_chunk_that_waits_for_a_lock_is_rolled_back_when_the_caller_hangs_up()
    {
        var (categoryId, ids) = await app.ProductsAsync(Chunk);
        await using var holder = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await holder.BeginTransactionAsync();
        var lockRow = $"SELECT FROM shop.products WHERE id = {ids[100]} FOR UPDATE";
        await using (var hold = new Npgsql.NpgsqlCommand(lockRow, holder)) await hold.ExecuteNonQueryAsync();

        await using (
            var request = await RawRequest.StartAsync(app.Http.BaseAddress!, "/products/bulk", BulkRequests.Lines))
        {
            await request.SendAsync(Text(ids, categoryId));
            await Eventually.Holds(async () => await WaitingAsync() == 1, "the chunk waits for the row");
        }

        await Eventually.Holds(async () => await WaitingAsync() == 0, "no transaction waits for the row");
        await transaction.RollbackAsync();
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.created", 1);
    }

    [Fact]
    public async Task A_sender_that_stops_gets_a_problem_and_its_incomplete_chunk_is_not_executed()
    {
        var (categoryId, ids) = await app.ProductsAsync(Chunk + 5);
        await using var impatient = CommandsApp.Start(app.Database.Commands)
            .WithWebHostBuilder(host => host.UseSetting("Limits:SilenceSeconds", "3"));
        impatient.UseKestrel();
        using var client = CommandsApp.Client(impatient, CommandsApp.Key);
        await using var request =
            await RawRequest.StartAsync(client.BaseAddress!, "/products/bulk", BulkRequests.Lines);

        await request.SendAsync(Text(ids, categoryId));

        await request.LineAsync();
        var problem = JsonDocument.Parse(await request.LineAsync()).RootElement.GetProperty("problem");
        problem.GetProperty("status").GetInt32().ShouldBe(408);
        problem.GetProperty("code").GetString().ShouldBe("request.too_slow");
        (await request.LineAsync()).ShouldBe("""{"done":false,"updated":200,"failed":5}""");
        await app.ShouldAllHaveSaidAsync("products", ids[Chunk..], "apexshop.product.created", 1);
    }

    [Fact]
    public async Task An_item_that_arrives_slowly_is_read_to_its_end()
    {
        const int silence = 9;
        var interval = TimeSpan.FromSeconds(0.5);
        var (categoryId, ids) = await app.ProductsAsync(1);
        await using var impatient = CommandsApp.Start(app.Database.Commands)
            .WithWebHostBuilder(host => host.UseSetting("Limits:SilenceSeconds", $"{silence}"));
        impatient.UseKestrel();
        using var client = CommandsApp.Client(impatient, CommandsApp.Key);
        await using var request =
            await RawRequest.StartAsync(client.BaseAddress!, "/products/bulk", BulkRequests.Lines);

        var item = Text(ids, categoryId);
        foreach (var part in item.Chunk(item.Length / (2 * (silence + 1))))
        {
            await request.SendAsync(new string(part));
            await Task.Delay(interval);
        }

        for (var line = 0; line < 2 * silence; line++)
        {
            await request.SendAsync("\n");
            await Task.Delay(interval);
        }

        await request.EndAsync();
        (await request.LineAsync()).ShouldStartWith("""{"chunk":0""");
        (await request.LineAsync()).ShouldBe("""{"done":true,"updated":1,"failed":0}""");
    }

    [Fact]
    public async Task A_body_that_cannot_be_read_to_its_end_gets_a_problem_after_the_chunks_before()
    {
        var (categoryId, ids) = await app.ProductsAsync(Chunk);
        await using var request =
            await RawRequest.StartAsync(app.Http.BaseAddress!, "/products/bulk", BulkRequests.Lines);

        await request.SendAsync(Text(ids, categoryId));
        await request.LineAsync();
        await request.BreakAsync();

        var problem = JsonDocument.Parse(await request.LineAsync()).RootElement.GetProperty("problem");
        problem.GetProperty("status").GetInt32().ShouldBe(400);
        (await request.LineAsync()).ShouldBe("""{"done":false,"updated":200,"failed":0}""");
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.updated", 2);
    }

    [Fact]
    public async Task A_caller_may_send_everything_before_it_reads_anything()
    {
        const int rounds = 30;
        var (categoryId, ids) = await app.ProductsAsync(1000);
        await using var request =
            await RawRequest.StartAsync(app.Http.BaseAddress!, "/products/bulk", BulkRequests.Lines);

        for (var i = 0; i < rounds; i++) await request.SendAsync(Text(ids, categoryId, price: i));
        await request.EndAsync();

        for (var i = 0; i < rounds * ids.Length / Chunk; i++)
            (await request.LineAsync()).ShouldStartWith($$"""{"chunk":{{i}},""");
        (await request.LineAsync()).ShouldBe("""{"done":true,"updated":30000,"failed":0}""");
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.updated", rounds + 1);
    }

    private static string Text(int[] ids, int categoryId, decimal price = 3) =>
        BulkRequests.ToLines(ids.Select(id => BulkUpdateProductsTests.Item(id, categoryId, price))) + "\n";

    private Task<long> WaitingAsync() => app.ScalarAsync<long>(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
}
