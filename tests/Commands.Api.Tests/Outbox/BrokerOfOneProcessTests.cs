using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>Two processes, of which one or both do not reach the broker.</summary>
public sealed class BrokerOfOneProcessTests : FollowedLogTest
{
    private static readonly (string, string) offerAfter = ("Outbox:OfferAfter", "00:00:00.500");
    private static readonly (string, string)[] settings = [offerAfter, ("Outbox:ConfirmTimeout", "00:00:00.500")];

    [Fact]
    public async Task A_leader_that_does_not_reach_the_broker_hands_over_to_a_process_that_does()
    {
        await using var nothing = new BrokerProxy();
        nothing.Close();
        await using var first = await OutboxProcess.StartAsync(Database, Exchange, nothing.Url, settings);
        await Eventually.Holds(first.LeadsAsync, "the first process leads");
        await using var second = await OutboxProcess.StartAsync(Database, Exchange, null, settings);
        await Database.FillAsync(Resource.Users.Name, 3);

        await Eventually.Holds(() => Database.IsPublishedAsync(3), "the second one publishes");
        second.Status.IsLeader.ShouldBeTrue();
        await Eventually.Holds(() => first.WarningIds.Contains(2006), "the first one finds that its lease is lost");
        first.Status.IsLeader.ShouldBeFalse();
        first.WarningIds.ShouldBe([2002, 2007, 2006]);
        await Database.ShouldBeWholeAsync(3);
    }

    [Fact]
    public async Task When_no_process_reaches_the_broker_one_leads_on_and_sequences()
    {
        await using var broker = new BrokerProxy();
        broker.Close();
        await using var first = await OutboxProcess.StartAsync(Database, Exchange, broker.Url, settings);
        await Eventually.Holds(first.LeadsAsync, "the first process leads");
        await using var second = await OutboxProcess.StartAsync(Database, Exchange, broker.Url, settings);
        await Database.WriteAsync(Resource.Orders.Name, 1, 1);
        await Eventually.Holds(() => first.WarningIds.Contains(2007), "the first process offers the lead");

        for (var version = 2; version <= 20; version++)
        {
            await Database.WriteAsync(Resource.Orders.Name, 1, version);
            await Eventually.Holds(async () => await Database.HeadAsync() == version, "it has its position");
            await Task.Delay(150);
        }

        (await Database.ScalarAsync<long>("SELECT term FROM shop.leader")).ShouldBe(1);
        broker.Open();
        await Eventually.Holds(() => Database.IsPublishedAsync(20), "everything is published");
        await Database.ShouldBeWholeAsync(20);
        // RabbitMQ confirms a message before it delivers it.
        await Eventually.Holds(() => Queue.HasAsync(20), "the last message is delivered");
        Queue.Events.Select(entry => entry.Position).Distinct().Count().ShouldBe(20);
    }

    [Fact]
    public async Task A_missing_queue_is_no_reason_to_hand_over()
    {
        var unbound = $"{Exchange}.unbound";
        // The broker is reached, however late it confirms the first message.
        (string, string)[] slow =
            [offerAfter, ("Outbox:ProbeTimeout", "00:01:00"), ("Outbox:ConfirmTimeout", "00:00:10")];
        await using var first = await OutboxProcess.StartAsync(Database, unbound, null, slow);
        await Eventually.Holds(first.LeadsAsync, "the first process leads");
        await using var second = await OutboxProcess.StartAsync(Database, unbound, null, slow);
        await Database.WriteAsync(Resource.Users.Name, 1, 1);
        await Eventually.Holds(() => first.WarningIds.Contains(2003), "no queue is bound");

        // Longer than a confirm is awaited.
        await Task.Delay(12_000);
        first.WarningIds.ShouldBe([2003]);
        first.Status.IsLeader.ShouldBeTrue();
    }
}
