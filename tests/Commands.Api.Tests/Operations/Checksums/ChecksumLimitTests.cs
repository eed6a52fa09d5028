using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Operations.Checksums;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Operations.Checksums;

public sealed class ChecksumLimitTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Checksums_of_one_key_leave_connections_for_the_commands()
    {
        const int most = ChecksumLimit.Executing + ChecksumLimit.Waiting;
        await using var patient = CommandsApp.Start(app.Database.Commands).WithWebHostBuilder(host => host
            .UseSetting("Persistence:LockSeconds", "60").UseSetting("Limits:RequestSeconds", "60"));
        using var client = CommandsApp.Client(patient, CommandsApp.Key);
        await using var held = await app.Database.HoldAsync("LOCK TABLE shop.products");

        var running = Enumerable.Range(0, most + 1)
            .Select(_ => client.GetAsync("/events/checksums?resource=products")).ToList();
        var refused = await await Task.WhenAny(running);
        using var category = await client.PostAsJsonAsync("/categories", new { name = "Lights" });
        await held.DisposeAsync();

        refused.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        (await refused.Content.ReadAsStringAsync()).ShouldContain("streams.busy");
        category.StatusCode.ShouldBe(HttpStatusCode.Created);
        (await Task.WhenAll(running)).Count(response => response.StatusCode == HttpStatusCode.OK).ShouldBe(most);
    }
}
