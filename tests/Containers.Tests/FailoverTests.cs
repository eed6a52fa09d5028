using Xunit.Abstractions;

namespace ApexShop.Containers.Tests;

/// <summary>
/// compose.cluster.yaml loses services under load: no acknowledged write is lost or doubled, and after a time that is
/// measured everything works without those that were lost.
/// </summary>
[Collection(nameof(ClusteredShop))]
public sealed class FailoverTests(ClusteredShop shop, ITestOutputHelper output) : IAsyncLifetime
{
    private static readonly bool isEveryLoss = Environment.GetEnvironmentVariable("APEXSHOP_EVERY_FAULT") == "1";

    private static readonly string[] faults = ["kill", "pause", "cut"];

    // A loss is a fault and a service. Those of one line happen at the same time; ClusterTests kill each service.
    private static readonly string[] usualLosses =
    [
        .. faults.Select(fault => $"{fault} postgres/primary"),
        .. faults.Select(fault => $"{fault} rabbitmq/primary, {fault} redis/primary"),
        "pause postgres/1, cut rabbitmq/1, pause redis/1, pause sentinel-2, cut projector, pause queries-2",
    ];

    /// <summary>Every loss alone takes about an hour: with APEXSHOP_EVERY_FAULT=1.</summary>
    public static IEnumerable<object[]> Losses => isEveryLoss
        ? from service in ClusteredShop.ReplicatedServices
          from fault in faults
          select new object[] { $"{fault} {service}" }
        : usualLosses.Select(losses => new object[] { losses });

    public Task InitializeAsync() => shop.BeginAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Theory]
    [MemberData(nameof(Losses))]
    public async Task A_loss_of_services_loses_no_acknowledged_write(string losses)
    {
        // The lease of PostgreSQL's primary is 20 seconds, the others are missed after two to five. The limit is
        // larger, for a slow machine, and shorter than the loss. That of PostgreSQL (17 to 35 s measured) is
        // longer, and the other primary shows that it was replaced; the report has the times. Commits wait for a
        // replica until the primary misses it: up to 8.7 s measured.
        var (lasts, limit) = losses.Contains("postgres/primary", StringComparison.Ordinal) ? (40, 60) : (30, 25);
        var run = await ServicesLoss.OfAsync(shop, output, losses);

        await run.RunAsync(TimeSpan.FromSeconds(lasts));

        foreach (var kind in (string[])["postgres", "redis"])
        {
            // A queue of RabbitMQ may choose the lost one again.
            if (losses.Contains($"{kind}/primary", StringComparison.Ordinal))
                run.Services.ShouldNotContain(await shop.PrimaryAsync(kind));
        }

        foreach (var pause in (TimeSpan[])[run.Writes, run.Reads, run.Changes]) ShouldBeShort(pause, limit);
    }

    // Between two successes there is always a short time, unless none is measured.
    private static void ShouldBeShort(TimeSpan pause, int seconds) =>
        pause.ShouldBeInRange(TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(seconds));
}
