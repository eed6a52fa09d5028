using System.Text.Json;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Faults;
using ApexShop.Prove.Histories;
using ApexShop.TestKit;
using RabbitMQ.Client;

namespace ApexShop.Prove.Tests.Live;

/// <summary>What a fault does to the messages of a real shop.</summary>
[Collection(LiveRuns.Name)]
public sealed class BrokerFaultTests(LiveShop shop)
{
    // While the machine pauses, perhaps no product is published in the two seconds without the binding.
    private const int MostRounds = 5;

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task The_queue_of_the_Projector_receives_no_products_while_it_is_unbound_and_all_afterwards()
    {
        await using var connection =
            await new ConnectionFactory { Uri = shop.Control.Broker! }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        var published = await BindAsync(channel, shop.Control.Exchange);
        var received = await BindAsync(channel, shop.Control.ProjectorQueue);
        using var sender = new Sender(shop.Control.Addresses, new Recording(), client: 0);
        var client = new ShopClient(shop.Control.Addresses, sender, new(1, 0, "unbound"), "unbound", client: 0);
        await client.NextAsync(shop => CategoryPlan.Create(shop).Keyed);

        List<int> missing = [];
        for (var round = 0; round < MostRounds && missing.Count == 0; round++)
        {
            await CreateWhileUnboundAsync(client);
            var last = (await client.NextAsync(shop => ProductPlan.Create(shop).Keyed)).Saved[0].Id;
            var all = await UntilAsync(channel, published, last);
            missing = [.. all.Except(await UntilAsync(channel, received, last))];
        }

        missing.ShouldNotBeEmpty();
    }

    private async Task CreateWhileUnboundAsync(ShopClient client)
    {
        var unbinding = Fault.Selected("unbind-queue").Single()
            .InjectAsync(new(shop.Control, shop.Control.Addresses, new Random(1), _ => { }));
        while (!unbinding.IsCompleted)
        {
            await client.NextAsync(ProductPlan.Create);
            await Task.Delay(pause);
        }

        await unbinding;
    }

    /// <summary>A queue of what an exchange receives.</summary>
    private static async Task<string> BindAsync(IChannel channel, string exchange)
    {
        var queue = (await channel.QueueDeclareAsync()).QueueName;
        await channel.QueueBindAsync(queue, exchange, "#");
        return queue;
    }

    /// <summary>The products of the messages up to that of the last one.</summary>
    private static async Task<HashSet<int>> UntilAsync(IChannel channel, string queue, int last)
    {
        var products = new HashSet<int>();
        await Eventually.Holds(
            async () =>
            {
                while (await channel.BasicGetAsync(queue, autoAck: true) is { } message)
                    products.UnionWith(ProductsOf(message));
                return products.Contains(last);
            },
            "the last product arrives");
        return products;
    }

    private static IEnumerable<int> ProductsOf(BasicGetResult message) =>
        JsonElement.Parse(message.Body.Span).EnumerateArray().Select(one => LogEvent.Parse(one.GetRawText()))
            .Where(one => one.Resource == Kinds.Products).Select(one => one.Aggregate);
}
