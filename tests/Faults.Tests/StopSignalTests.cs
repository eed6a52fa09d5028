using System.Net;
using System.Text.Json.Nodes;

namespace ApexShop.Faults.Tests;

public sealed class StopSignalTests
{
    private const int EndedBySigterm = 128 + 15;

    [Fact]
    public async Task The_first_signal_makes_a_process_unready_and_a_second_one_ends_it_immediately()
    {
        await using var shop = await Shop.StartAsync(ShopServers.Shared, ("Stopping__DrainSeconds", "300"));
        foreach (var process in (ShopProcess[])[shop.Queries, shop.Commands, shop.Projector])
        {
            (await StatusAsync(process)).ShouldBe((HttpStatusCode.OK, "ready"), process.Name);
            await process.TerminateAsync();

            await Eventually.Holds(async () =>
                await StatusAsync(process) == (HttpStatusCode.ServiceUnavailable, "stopping"),
                $"{process.Name} logs that it stops");
            // A client with an open connection is served, and the response closes the connection.
            using (var http = new HttpClient { BaseAddress = process.Url })
            using (var response = await http.GetAsync("/products/0"))
            {
                response.StatusCode.ShouldNotBe(HttpStatusCode.ServiceUnavailable, process.Name);
                response.Headers.ConnectionClose.ShouldBe(true, process.Name);
            }

            await process.TerminateAsync();
            (await process.ExitAsync()).ShouldBe(EndedBySigterm, process.Name);
        }
    }

    private static async Task<(HttpStatusCode, string)> StatusAsync(ShopProcess process)
    {
        using var response = await process.Http.GetAsync("/health/ready");
        return (response.StatusCode, (string)JsonNode.Parse(await response.Content.ReadAsStringAsync())!["status"]!);
    }
}
