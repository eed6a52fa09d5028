using System.Net;
using ApexShop.Access;
using ApexShop.TestKit;
using Microsoft.Extensions.Configuration;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>A key that loses a scope while its live response is open.</summary>
public sealed class LiveFeedKeyTests(LogShop shop) : IClassFixture<LogShop>, IDisposable
{
    private const string Key = "a key of a follower";

    private readonly KeyFile file = new();

    public void Dispose() => file.Dispose();

    [Fact]
    public async Task A_live_response_ends_before_an_event_that_its_key_may_not_read_any_more()
    {
        file.Write(Key, Scopes.EventsRead, Scopes.OrdersRead);
        await using var api = CommandsApp.Start(shop.App.Database.Commands).WithWebHostBuilder(host =>
            host.ConfigureAppConfiguration((_, configuration) =>
                configuration.AddJsonFile(file.Path, optional: false, reloadOnChange: true)));
        api.UseKestrel();
        using var client = CommandsApp.Client(api, Key);
        using var response = await client.GetAsync(
            "/events/live?resource=orders", HttpCompletionOption.ResponseHeadersRead);
        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        using var reader = new StreamReader(await response.Content.ReadAsStreamAsync());
        (await reader.ReadLineAsync()).ShouldNotBeNull().ShouldStartWith("retry:");

        file.Write(Key, Scopes.EventsRead);
        await Eventually.Holds(
            async () => (await client.GetAsync("/events?resource=orders")).StatusCode == HttpStatusCode.Forbidden,
            "the scope is gone");
        await shop.FillAsync(1, 8);

        (await reader.ReadToEndAsync().WaitAsync(TimeSpan.FromSeconds(30))).ShouldNotContain("data:");
    }
}
