using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.EndToEnd.Tests.CommandLine;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using RabbitMQ.Client;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

/// <summary>
/// An event cannot be applied while a constraint in the read schema, added by the superuser, rejects it; a message that
/// cannot be read comes from another publisher on the exchange.
/// </summary>
public sealed class ParkingTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task A_poison_event_parks_only_its_aggregate_until_a_replay_applies_it()
    {
        var (category, pen, ink) = await ProductsAsync("replay");
        await PoisonAsync("replay");
        await Client.ReplaceAsync(Resource.Products.Name, pen, Bodies.Product(category, "Poison replay"));
        await Client.ReplaceAsync(Resource.Products.Name, pen, Bodies.Product(category, "Poison replay, later"));
        await Client.ReplaceAsync(Resource.Products.Name, ink, Bodies.Product(category, "Ink, blue"));
        await Client.SeesAsync(Resource.Products.Name, ink, product => (string)product["name"]! == "Ink, blue");
        await ParkedAsync(pen, 2);
        (await Client.FindAsync(Resource.Products.Name, pen))!["version"]!.GetValue<long>().ShouldBe(1);

        var shown = await AskAsync(HttpMethod.Get, $"parked/products/{pen}");
        ((string)shown["events"]![0]!["reason"]!).ShouldContain("poison_replay");
        ((string)shown["events"]![1]!["event"]!["data"]!["name"]!).ShouldBe("Poison replay, later");
        var refused = await AskAsync(HttpMethod.Post, $"parked/products/{pen}/replay?dryRun=true");
        refused["events"]!.AsArray().Select(one => (string)one!["outcome"]!).ShouldBe(["refused", "waits"]);

        await DropPoisonAsync("replay");
        var dry = await AskAsync(HttpMethod.Post, $"parked/products/{pen}/replay?dryRun=true");
        (await Client.FindAsync(Resource.Products.Name, pen))!["version"]!.GetValue<long>()
            .ShouldBe(1, "a dry run changes nothing");
        var real = await AskAsync(HttpMethod.Post, $"parked/products/{pen}/replay");
        (dry["applied"]!.GetValue<int>(), real["applied"]!.GetValue<int>(), real["versionAfter"]!.GetValue<long>())
            .ShouldBe((2, 2, 3));

        // Cached responses that contain it are no longer served; the announcement takes a moment to arrive.
        await Client.SeesAsync(
            Resource.Products.Name, pen, product => (string)product["name"]! == "Poison replay, later");
        await State.ProjectedAsync();
        await State.DocumentsEqualTablesAsync();
    }

    [Fact]
    public async Task A_discarded_aggregate_takes_its_next_event_and_a_damaged_one_is_healed_from_the_log()
    {
        var (category, pen, ink) = await ProductsAsync("discard");
        await PoisonAsync("discard");
        await Client.ReplaceAsync(Resource.Products.Name, pen, Bodies.Product(category, "Poison discard"));
        await ParkedAsync(pen, 1);

        var discarded = await AskAsync(HttpMethod.Delete, $"parked/products/{pen}");
        (discarded["documentVersion"]!.GetValue<long>(), discarded["lostVersion"]!.GetValue<long>()).ShouldBe((1, 2));
        await Client.ReplaceAsync(Resource.Products.Name, pen, Bodies.Product(category, "Quill"));
        await Client.SeesAsync(Resource.Products.Name, pen, product => (string)product["name"]! == "Quill");

        await Client.ReplaceAsync(Resource.Products.Name, pen, Bodies.Product(category, "Poison discard again"));
        await ParkedAsync(pen, 1);
        (await AskAsync(HttpMethod.Post, $"parked/products/{pen}/heal"))["outcome"]!.GetValue<string>()
            .ShouldBe("refused");
        await DropPoisonAsync("discard");
        (await AskAsync(HttpMethod.Post, $"parked/products/{pen}/heal"))["unparked"]!.GetValue<int>().ShouldBe(1);
        await ExecuteAsync($"DELETE FROM read.products WHERE id = {ink}");
        (await AskAsync(HttpMethod.Post, $"parked/products/{ink}/heal"))["outcome"]!.GetValue<string>()
            .ShouldBe("written");

        await Client.SeesAsync(
            Resource.Products.Name, pen, product => (string)product["name"]! == "Poison discard again");
        (await Client.FindAsync(Resource.Products.Name, ink)).ShouldNotBeNull();
        await State.ProjectedAsync();
        await State.DocumentsEqualTablesAsync();
    }

    [Fact]
    public async Task A_message_that_cannot_be_read_is_a_dead_letter_that_can_be_read_and_discarded()
    {
        await using var connection = await new ConnectionFactory { Uri = Shop.Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        var body = $"not an event {Guid.NewGuid()}";
        await channel.BasicPublishAsync(
            Shop.Exchange, Resource.Products.Name, System.Text.Encoding.UTF8.GetBytes(body));

        JsonNode? letter = null;
        await Eventually.Holds(
            async () =>
            {
                var letters = (await AskAsync(HttpMethod.Get, "dead-letters"))["items"]!.AsArray();
                return (letter = letters.FirstOrDefault(one => (string)one!["excerpt"]! == body)) is not null;
            },
            "the letter is kept");
        var id = letter!["id"]!.GetValue<int>();
        ((string)(await AskAsync(HttpMethod.Get, $"dead-letters/{id}"))["body"]!).ShouldBe(body);
        (await AskAsync(HttpMethod.Post, $"dead-letters/{id}/replay"))["outcome"]!.GetValue<string>()
            .ShouldBe("refused");
        (await AskAsync(HttpMethod.Post, "dead-letters/replay"))["refused"]!.GetValue<int>().ShouldBe(1);
        using var gone = await Shop.Commands.Http.DeleteAsync($"/admin/dead-letters/{id}");
        gone.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        using var again = await Shop.Commands.Http.DeleteAsync($"/admin/dead-letters/{id}");
        again.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        (await again.Content.ReadFromJsonAsync<JsonNode>())!["code"]!.GetValue<string>()
            .ShouldBe("dead_letter.not_found");
    }

    [Fact]
    public async Task The_command_line_lists_shows_replays_discards_and_heals()
    {
        var (category, pen, ink) = await ProductsAsync("verb");
        await PoisonAsync("verb");
        foreach (var product in (int[])[pen, ink])
            await Client.ReplaceAsync(
                Resource.Products.Name, product, Bodies.Product(category, $"Poison verb {product}"));
        await ParkedAsync(pen, 1);
        await ParkedAsync(ink, 1);

        (await VerbAsync("list")).ShouldContain($"products/{pen}  ");
        (await VerbAsync("show", $"products/{pen}")).ShouldContain("apexshop.product.updated");
        (await VerbAsync("replay", "--dry-run", $"products/{pen}")).ShouldContain("refused");
        (await VerbAsync("discard", $"products/{ink}")).ShouldContain($"products/{ink} stays at version 1");
        await DropPoisonAsync("verb");
        (await VerbAsync("replay", "all", "--dry-run")).ShouldContain("1 -> 2");
        (await VerbAsync("replay", "all")).ShouldContain("1 -> 2");
        (await VerbAsync("heal", $"products/{ink}")).ShouldContain("has version 2");
        (await VerbAsync("list")).ShouldNotContain("products/");
        await State.DocumentsEqualTablesAsync();
    }

    private async Task<(int Category, int Pen, int Ink)> ProductsAsync(string name)
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Category of {name}"));
        var pen = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, $"Pen {name}"));
        var ink = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, $"Ink {name}"));
        await State.ProjectedAsync();
        return (category.Id, pen.Id, ink.Id);
    }

    private Task PoisonAsync(string name) =>
        ExecuteAsync(
            $"ALTER TABLE read.products ADD CONSTRAINT poison_{name} CHECK (name IS NULL OR name NOT LIKE '"
            + $"Poison {name}%')");

    private Task DropPoisonAsync(string name) =>
        ExecuteAsync($"ALTER TABLE read.products DROP CONSTRAINT poison_{name}");

    private async Task ExecuteAsync(string sql)
    {
        await using var database = NpgsqlDataSource.Create(Shop.Database.Superuser);
        await using var command = database.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }

    private async Task ParkedAsync(int product, int events) => await Eventually.Holds(
        async () => (await AskAsync(HttpMethod.Get, "parked?resource=products"))["items"]!.AsArray()
            .Any(one => one!["id"]!.GetValue<int>() == product && one["events"]!.GetValue<int>() == events),
        $"{events} events of product {product} are parked");

    private async Task<JsonNode> AskAsync(HttpMethod method, string path)
    {
        using var request = new HttpRequestMessage(method, $"/admin/{path}");
        using var response = await Shop.Commands.Http.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        response.StatusCode.ShouldBe(HttpStatusCode.OK, text);
        return JsonNode.Parse(text)!;
    }

    private Task<string> VerbAsync(params string[] arguments) => Shop.VerbAsync(["dlq", .. arguments]);
}
