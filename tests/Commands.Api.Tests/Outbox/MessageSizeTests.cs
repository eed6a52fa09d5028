using ApexShop.Commands.Api.Outbox;
using ApexShop.Messaging;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>A message has a bounded number of bytes, and at least one event.</summary>
public sealed class MessageSizeTests : FollowedLogTest
{
    [Fact]
    public async Task Large_events_are_several_messages_in_order_and_an_event_beyond_the_limit_is_one()
    {
        const int third = Topology.MaxDataPerMessage / 3 - 1_000;
        var sizes = Enumerable.Repeat(third, 8).Append(2 * Topology.MaxDataPerMessage).Append(third).Append(1).ToList();
        for (var i = 0; i < sizes.Count; i++)
        {
            await Database.WriteAsync(Resource.Orders.Name, i, 1, sizes[i]);
            await Database.WriteAsync(Resource.Users.Name, i, 1);
        }

        // One statement gives all of them their positions, so the publisher reads them together.
        // A message whose confirm came too late would be there twice.
        await using var process = await OutboxProcess.StartAsync(
            Database, Exchange, settings: ("Outbox:ConfirmTimeout", "00:01:00"));
        await Eventually.Holds(
            () => Task.FromResult(Queue.Events.Count() == 2 * sizes.Count), "everything arrived");

        var messages = Queue.Messages.Where(message => message.RoutingKey == Resource.Orders.Name)
            .Select(message => message.Events)
            .ToList();
        messages.Select(events => events.Count).ShouldBe([3, 3, 2, 1, 2]);
        foreach (var events in messages.Where(events => events.Count > 1))
            events.Sum(entry => entry.Data.Length).ShouldBeLessThanOrEqualTo(Topology.MaxDataPerMessage);
        var orders = messages.SelectMany(events => events).ToList();
        orders.Select(entry => entry.AggregateId).ShouldBe(Enumerable.Range(0, sizes.Count));
        orders.Select(entry => entry.Previous)
            .ShouldBe([0, .. orders.SkipLast(1).Select(entry => entry.Position)]);
    }
}
