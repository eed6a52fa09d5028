using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using ApexShop.EndToEnd.Tests.Comparison;
using ApexShop.TestKit;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

/// <summary>Each sample consumer as a process, on a broker that the test may kill.</summary>
public sealed class StockWatcherTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const int Writes = 400;
    private const string Queue = "stock-watcher";

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("stock-watcher");

    private PrivateBroker broker = null!;
    private Shop shop = null!;
    private ServerProcess? watcher;

    public static TheoryData<string> Languages => [.. StockWatchers.Languages];

    private string StateFile => Path.Combine(folder.FullName, "stock.json");

    public async Task InitializeAsync()
    {
        broker = await PrivateBroker.StartAsync();
        shop = await Shop.StartAsync(broker.Url);
    }

    public async Task DisposeAsync()
    {
        output.WriteLine(watcher?.Tail(60) + broker.Node.Tail(60) + shop.Tail());
        watcher?.Dispose();
        await shop.DisposeAsync();
        await broker.DisposeAsync();
        folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Languages))]
    public async Task It_has_every_product_and_applied_each_event_once_after_faults_of_itself_its_queue_and_the_broker(
        string language)
    {
        await CreateAsync(language);
        var traffic = await Traffic.PrepareAsync(shop, products: 20, users: 3, stock: 1000);
        var gate = new WriteGate();
        var writers =
            traffic.WriteAsync(gate, Writes, writers: 6, static (client, random) => client.AnythingAsync(random));

        // It starts late, during the writes: earlier events are only in the log, later ones also on the exchange.
        gate.AllowUpTo(Writes / 5);
        await gate.DoneAsync(Writes / 10);
        watcher!.Start();
        await ThroughAsync(gate, 2, KillAsync);
        await ThroughAsync(gate, 3, DeleteQueueAsync);
        await ThroughAsync(gate, 4, RestartBrokerAsync);
        await ThroughAsync(gate, 5, KillAsync);
        await writers;

        await HasAllAsync();
        watcher!.IsRunning.ShouldBeTrue();
    }

    [Theory]
    [MemberData(nameof(Languages))]
    public async Task An_unreadable_message_and_a_lost_one_are_holes_that_the_log_fills(string language)
    {
        (await CreateAsync(language)).Start();
        var traffic = await Traffic.PrepareAsync(shop, products: 3, users: 1, stock: 10);
        // A name of a product that runs low, in letters that the output of the watcher may not have.
        var category = await new Database(shop.Database.Superuser).ScalarAsync<int>(
            "SELECT min(id) FROM shop.categories");
        using var tea = await shop.Commands.Http.PostAsJsonAsync(
            "/products", Bodies.Product(category, "\u65E5\u672C\u8336", stock: 1));
        tea.EnsureSuccessStatusCode();
        await KnowsAllAsync();
        await using var connection = await new ConnectionFactory { Uri = broker.Url }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        var failures = watcher!.Tail(400).Split("Trying again").Length;
        var log = await new Database(shop.Database.Superuser).ScalarAsync<string>(
            "SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1");
        string[] unreadable =
        [
            "no JSON", "null", "[null]", "[{}]", $$"""[{"logid":"{{log}}"}]""",
            $$"""[{"logid":"{{log}}","sequence":"9000000000000000000","previous":"0000000000000000000"}]""",
        ];
        foreach (var body in unreadable)
            await channel.BasicPublishAsync(shop.Exchange, "products", Encoding.UTF8.GetBytes(body));
        for (var i = 0; i < 30; i++) await traffic.AnythingAsync(new Random(i));

        await KnowsAllAsync();
        await Eventually.Holds(async () => await channel.MessageCountAsync(Queue) == 0, "no message is left");
        watcher!.Tail(400).Split("Trying again").Length.ShouldBe(failures);
        // No later message shows what is lost: the watcher reads the log after 30 seconds without one.
        await channel.QueueUnbindAsync(Queue, shop.Exchange, "products");
        for (var i = 30; i < 60; i++) await traffic.AnythingAsync(new Random(i));
        await KnowsAllAsync();
        watcher!.IsRunning.ShouldBeTrue();
    }

    [Theory]
    [MemberData(nameof(Languages))]
    public async Task A_restored_log_is_read_again_and_a_log_that_only_has_another_identity_is_continued(
        string language)
    {
        (await CreateAsync(language)).Start();
        var traffic = await Traffic.PrepareAsync(shop, products: 5, users: 1, stock: 1000);
        await KnowsAllAsync();
        using var backup = await Backup.TakeAsync(shop.Database, "shop");
        for (var i = 0; i < 40; i++) await traffic.AnythingAsync(new Random(i));
        await KnowsAllAsync();
        await shop.Commands.KillAsync();
        await backup.RestoreAsync();
        shop.Commands.Start();
        await shop.Commands.ReadyAsync();
        // As many changes as were lost, and more: the watcher's position is one of the restored log.
        traffic = await Traffic.PrepareAsync(shop, products: 5, users: 1, stock: 1000);
        for (var i = 100; i < 160; i++) await traffic.AnythingAsync(new Random(i));
        await HasAllAsync();
        watcher!.Tail(400).ShouldContain("The state is made again");

        // A copy of the server has the same events.
        var made = watcher!.Tail(400).Split("The state is made again").Length;
        await shop.Commands.KillAsync();
        await new Database(shop.Database.Superuser).RowsAsync(
            "UPDATE shop.log_identities SET origin = 'elsewhere' RETURNING id");
        shop.Commands.Start();
        await shop.Commands.ReadyAsync();
        for (var i = 0; i < 20; i++) await traffic.AnythingAsync(new Random(i));
        await HasAllAsync();
        watcher!.Tail(400).Split("The state is made again").Length.ShouldBe(made);
    }

    [Theory]
    [MemberData(nameof(Languages))]
    public async Task Events_that_were_removed_while_it_did_not_run_leave_it_with_the_last_state(string language)
    {
        (await CreateAsync(language)).Start();
        var traffic = await Traffic.PrepareAsync(shop, products: 10, users: 2, stock: 1000);
        await KnowsAllAsync();
        await DeleteQueueAsync();
        await watcher!.KillAsync();
        for (var i = 0; i < 100; i++) await traffic.AnythingAsync(new Random(i));
        var events = await CountAsync();
        await OldLog.CompactAsync(shop);
        (await CountAsync()).ShouldBeLessThan(events);

        watcher.Start();
        await HasStockAsync();
    }

    private async Task<ServerProcess> CreateAsync(string language) =>
        watcher = await StockWatchers.CreateAsync(language, new Dictionary<string, string>
        {
            ["COMMANDS_URL"] = shop.Commands.Url.ToString(),
            ["EVENTS_KEY"] = TestKeys.Events,
            ["RABBITMQ_URL"] = broker.Url.ToString(),
            ["BROKER_EXCHANGE"] = shop.Exchange,
            ["PYTHONIOENCODING"] = "ascii",
        }, StateFile);

    // One fault happens during each fifth of the writes.
    private static async Task ThroughAsync(WriteGate gate, int fifth, Func<Task> happens)
    {
        gate.AllowUpTo(Writes / 5 * fifth);
        await gate.DoneAsync((Writes / 5 * fifth) - (Writes / 10));
        await happens();
    }

    private async Task KillAsync()
    {
        await watcher!.KillAsync();
        watcher.Start();
    }

    private async Task DeleteQueueAsync()
    {
        await using var connection = await new ConnectionFactory { Uri = broker.Url }.CreateConnectionAsync();
        await Eventually.Holds(() => IsConsumedAsync(connection), "the watcher takes messages");
        await using var channel = await connection.CreateChannelAsync();
        await channel.QueueDeleteAsync(Queue);
    }

    // The watcher may have been killed before it declared the queue; the broker closes a channel that asks for it then.
    private static async Task<bool> IsConsumedAsync(IConnection connection)
    {
        await using var channel = await connection.CreateChannelAsync();
        try
        {
            return await channel.ConsumerCountAsync(Queue) == 1;
        }
        catch (OperationInterruptedException) when (channel.CloseReason?.ReplyCode == Constants.NotFound)
        {
            return false;
        }
    }

    private async Task RestartBrokerAsync()
    {
        await broker.Node.KillAsync();
        broker.Node.Start();
        await broker.ReadyAsync();
    }

    private Task<long> CountAsync() =>
        new Database(shop.Database.Superuser).ScalarAsync<long>("SELECT count(*) FROM shop.events");

    private async Task<JsonElement> HasStockAsync()
    {
        await KnowsAllAsync();
        var state = JsonElement.Parse(await File.ReadAllTextAsync(StateFile));
        Rows(state, "products", product => $"{product.GetProperty("name")} {product.GetProperty("stock")}")
            .ShouldBe(await new Database(shop.Database.Superuser).RowsAsync(
                "SELECT id, name, stock FROM shop.products ORDER BY id"));
        return state;
    }

    private async Task HasAllAsync()
    {
        var state = await HasStockAsync();
        var database = new Database(shop.Database.Superuser);
        // The number of a product's events equals its version: none was applied twice, none is missing.
        Rows(state, "changes", changes => changes.ToString())
            .ShouldBe(
                await database.RowsAsync(
                    "SELECT aggregate_id, max(version) FROM shop.events WHERE resource = 'products' GROUP BY 1 "
                    + "HAVING count(*) = max(version) ORDER BY 1"));
    }

    private async Task KnowsAllAsync()
    {
        var database = new Database(shop.Database.Superuser);
        var (known, last, log) = (0L, 0L, "");
        // After a long outage of the broker the shop may need more than a minute until it publishes again.
        await Eventually.Holds(async () =>
        {
            last = await database.ScalarAsync<long>(
                "SELECT CASE WHEN EXISTS (SELECT FROM shop.outbox) THEN -1 ELSE position END FROM "
                + "shop.log_positions WHERE name = 'products'");
            log = await database.ScalarAsync<string>(
                "SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1");
            if (!File.Exists(StateFile)) return false;
            var state = JsonElement.Parse(await File.ReadAllTextAsync(StateFile));
            // A number, or the text of the event: numbers of JavaScript cannot hold every position.
            known = long.Parse(state.GetProperty("position").ToString(), null);
            return last > 0 && known == last && state.GetProperty("log").GetString() == log;
        }, "the watcher has the last event of a product", TimeSpan.FromMinutes(2));
    }

    private static IEnumerable<string> Rows(JsonElement state, string member, Func<JsonElement, string> text) =>
        state.GetProperty(member)
            .EnumerateObject()
            .OrderBy(one => int.Parse(one.Name, null))
            .Select(one => $"{one.Name} {text(one.Value)}");
}
