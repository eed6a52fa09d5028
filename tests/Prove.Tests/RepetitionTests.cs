using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests;

/// <summary>What the clients of the checker send again, to a shop that refuses the first requests.</summary>
public sealed class RepetitionTests
{
    [Theory]
    [InlineData(60, 8, true)]
    [InlineData(0, 5, false)]
    public async Task A_client_repeats_an_open_command_four_times_or_for_its_time(int seconds, int open, bool succeeds)
    {
        await using var shop = Refusing(503, refusals: 8);
        var recording = new Recording();
        using var sender = new Sender(shop.Addresses, recording, client: 0);
        var client = new ShopClient(shop.Addresses, sender, new(1, 0, "run"), "run", client: 0)
        {
            RepeatFor = TimeSpan.FromSeconds(seconds),
        };

        var attempt = await client.NextAsync(known => CategoryPlan.Create(known).Keyed);

        (attempt.Outcome == Outcome.Acknowledged).ShouldBe(succeeds);
        recording.Attempts.Count(one => one.Outcome == Outcome.Unknown).ShouldBe(open);
        recording.Attempts.Select(one => one.Key).Distinct().ShouldHaveSingleItem().ShouldNotBeNull();
    }

    [Fact]
    public async Task A_request_outside_of_the_history_is_repeated_while_the_shop_is_unavailable()
    {
        await using var shop = Refusing(503, refusals: 1);
        (await SendAsync(shop)).ShouldContain("\"id\"");
    }

    [Fact]
    public async Task A_request_outside_of_the_history_that_is_refused_is_not_repeated()
    {
        await using var shop = Refusing(409, refusals: 1);
        (await Should.ThrowAsync<InvalidOperationException>(() => SendAsync(shop))).Message.ShouldContain("409");
    }

    private static StubShop Refusing(int status, int refusals) =>
        new(_ => (refusals-- > 0 ? status : 201, """{"id":1,"version":1}"""));

    private static async Task<string> SendAsync(StubShop shop)
    {
        using var client = shop.Addresses.Client(shop.Addresses.Commands[0], TimeSpan.FromSeconds(30));
        return await RepeatedRequest.SendAsync(
            client, () => new HttpRequestMessage(HttpMethod.Post, "/admin/audit"), CancellationToken.None);
    }
}
