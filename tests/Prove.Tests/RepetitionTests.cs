using System.Net;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;
using ApexShop.TestKit;

namespace ApexShop.Prove.Tests;

/// <summary>What the clients of the checker send again, to a shop that refuses the first requests.</summary>
public sealed class RepetitionTests : IDisposable
{
    private readonly HttpListener listener = new();
    private readonly ShopAddresses shop;

    public RepetitionTests()
    {
        var url = $"http://127.0.0.1:{Loopback.FreePort()}/";
        listener.Prefixes.Add(url);
        listener.Start();
        ShopAddress[] process = [new("commands", new Uri(url))];
        shop = new(process, process, "key");
    }

    public void Dispose() => ((IDisposable)listener).Dispose();

    [Theory]
    [InlineData(60, 8, true)]
    [InlineData(0, 5, false)]
    public async Task A_client_repeats_an_open_command_four_times_or_for_its_time(int seconds, int open, bool succeeds)
    {
        var answering = AnswerAsync(503, refusals: 8);
        var recording = new Recording();
        using var sender = new Sender(shop, recording, client: 0);
        var client = new ShopClient(shop, sender, new(1, 0, "run"), "run", client: 0)
        {
            RepeatFor = TimeSpan.FromSeconds(seconds),
        };

        var attempt = await client.NextAsync(known => CategoryPlan.Create(known).Keyed);

        (attempt.Outcome == Outcome.Acknowledged).ShouldBe(succeeds);
        recording.Attempts.Count(one => one.Outcome == Outcome.Unknown).ShouldBe(open);
        recording.Attempts.Select(one => one.Key).Distinct().ShouldHaveSingleItem().ShouldNotBeNull();
        listener.Stop();
        await answering;
    }

    [Fact]
    public async Task A_request_outside_of_the_history_is_repeated_while_the_shop_is_unavailable()
    {
        var answering = AnswerAsync(503, refusals: 1);
        using var client = shop.Client(shop.Commands[0], TimeSpan.FromSeconds(30));
        (await SendAsync(client)).ShouldContain("\"id\"");
        listener.Stop();
        await answering;
    }

    [Fact]
    public async Task A_request_outside_of_the_history_that_is_refused_is_not_repeated()
    {
        var answering = AnswerAsync(409, refusals: 1);
        using var client = shop.Client(shop.Commands[0], TimeSpan.FromSeconds(30));
        (await Should.ThrowAsync<InvalidOperationException>(() => SendAsync(client))).Message.ShouldContain("409");
        listener.Stop();
        await answering;
    }

    private static Task<string> SendAsync(HttpClient client) => RepeatedRequest.SendAsync(
        client, () => new HttpRequestMessage(HttpMethod.Post, "/admin/audit"), CancellationToken.None);

    private async Task AnswerAsync(int status, int refusals)
    {
        try
        {
            while (true)
            {
                var request = await listener.GetContextAsync();
                request.Response.StatusCode = refusals-- > 0 ? status : 201;
                request.Response.Close("""{"id":1,"version":1}"""u8.ToArray(), willBlock: true);
            }
        }
        catch (Exception stopped) when (stopped is HttpListenerException or ObjectDisposedException)
        {
            // The test has ended.
        }
    }
}
