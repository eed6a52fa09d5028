using ApexShop.Prove.Histories;
using RabbitMQ.Client;

namespace ApexShop.Prove.Faults;

/// <summary>Lost, repeated, reordered and unreadable messages.</summary>
internal static class BrokerFaults
{
    private const int Most = 50;
    private const string Everything = "#";

    private static readonly TimeSpan window = TimeSpan.FromSeconds(2);

    public static IEnumerable<Fault> All =>
    [
        On("purge-queue", "drops what waits in the Projector's queue", (channel, control) =>
            channel.QueuePurgeAsync(control.ProjectorQueue)),
        On("delete-queue", "deletes the Projector's queue with its messages", (channel, control) =>
            channel.QueueDeleteAsync(control.ProjectorQueue)),
        On("unbind-queue", "the Projector's queue receives no products for two seconds", UnbindAsync) with
        {
            IsExclusive = true,
        },
        On("repeat-messages", "publishes messages of two seconds again", (channel, control) =>
            CaptureAsync(channel, control, messages => messages)),
        On("reorder-messages", "publishes messages of two seconds again, the last one first", (channel, control) =>
            CaptureAsync(channel, control, messages => messages.Reverse())),
        On("broken-message", "publishes a message that is no event", (channel, control) =>
            channel.BasicPublishAsync(
                control.Exchange, "products", mandatory: false, new BasicProperties { Persistent = true },
                "{ not an event"u8.ToArray()).AsTask()),
    ];

    private static Fault On(string name, string text, Func<IChannel, IShopControl, Task> action) => new(
        name, text, control => control.Broker is not null, async context =>
        {
            await using var connection =
                await new ConnectionFactory { Uri = context.Control.Broker! }.CreateConnectionAsync();
            await using var channel = await connection.CreateChannelAsync();
            await action(channel, context.Control);
        });

    // The queue takes what an exchange of the same name receives, which is bound to all resources at once.
    private static async Task UnbindAsync(IChannel channel, IShopControl control)
    {
        var (projector, shop) = (control.ProjectorQueue, control.Exchange);
        var others = Kinds.All.Where(resource => resource != Kinds.Products).ToList();
        foreach (var resource in others) await channel.ExchangeBindAsync(projector, shop, resource);
        try
        {
            await channel.ExchangeUnbindAsync(projector, shop, Everything);
            await Task.Delay(window);
        }
        finally
        {
            await channel.ExchangeBindAsync(projector, shop, Everything);
            foreach (var resource in others) await channel.ExchangeUnbindAsync(projector, shop, resource);
        }
    }

    private static async Task CaptureAsync(
        IChannel channel, IShopControl control, Func<IEnumerable<BasicGetResult>, IEnumerable<BasicGetResult>> order)
    {
        var queue = (await channel.QueueDeclareAsync()).QueueName;
        await channel.QueueBindAsync(queue, control.Exchange, Everything);
        await Task.Delay(window);
        var messages = new List<BasicGetResult>();
        while (messages.Count < Most && await channel.BasicGetAsync(queue, autoAck: true) is { } message)
            messages.Add(message);
        await channel.QueueDeleteAsync(queue);
        foreach (var message in order(messages))
        {
            await channel.BasicPublishAsync(
                control.Exchange, message.RoutingKey, mandatory: false, new BasicProperties(message.BasicProperties),
                message.Body);
        }
    }
}
