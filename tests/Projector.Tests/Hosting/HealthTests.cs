using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using RabbitMQ.Client;

namespace ApexShop.Projector.Tests.Hosting;

public sealed class HealthTests(ReadStore store) : QueueTest(store)
{
    [Fact]
    public async Task The_process_is_ready_while_a_transaction_uses_every_connection_of_the_pool()
    {
        await using var projector = await RunningProjector.StartAsync(
            $"{Store.Database.Projector};Maximum Pool Size=1", Exchange, Queue, History);
        // The endpoint keeps a result for a second, so the checks are made here.
        var checks = projector.Services.GetRequiredService<HealthCheckService>();
        await using (await Store.HoldAsync())
        {
            var body = TestProjector.Message([History.Product(10, "Pen")]);
            await Channel.BasicPublishAsync(Exchange, Resource.Products.Name, body);
            await Store.HeldUpAsync();

            var ready = await checks.CheckHealthAsync();

            ready.Entries["postgres"].Status.ShouldBe(HealthStatus.Healthy);
        }
    }
}
