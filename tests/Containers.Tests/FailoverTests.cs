using Xunit.Abstractions;

namespace ApexShop.Containers.Tests;

/// <summary>
/// compose.cluster.yaml loses single services under load: no acknowledged write is lost or doubled, and after a time
/// that is measured everything works without the one that was lost.
/// </summary>
[Collection(nameof(ClusteredShop))]
public sealed class FailoverTests(ClusteredShop shop, ITestOutputHelper output) : IAsyncLifetime
{
    private static readonly bool isEveryFault = Environment.GetEnvironmentVariable("APEXSHOP_EVERY_FAULT") == "1";

    private static readonly string[] faults = ["kill", "pause", "cut"];

    // ClusterTests kill each of them.
    private static readonly (string Service, string Fault)[] usualFaults =
    [
        ("postgres/1", "pause"),
        ("rabbitmq/1", "cut"),
        ("redis/1", "pause"),
        ("sentinel-2", "pause"),
        ("projector", "cut"),
        ("queries-2", "pause"),
    ];

    /// <summary>All faults of all services take 46 minutes: with APEXSHOP_EVERY_FAULT=1.</summary>
    public static IEnumerable<object[]> OtherFaults => isEveryFault
        ? from service in ClusteredShop.NonPrimaries from fault in faults select new object[] { service, fault }
        : usualFaults.Select(usual => new object[] { usual.Service, usual.Fault });

    public Task InitializeAsync() => shop.AllAreWellAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Theory]
    [InlineData("postgres", "kill")]
    [InlineData("postgres", "pause")]
    [InlineData("postgres", "cut")]
    [InlineData("rabbitmq", "kill")]
    [InlineData("rabbitmq", "pause")]
    [InlineData("rabbitmq", "cut")]
    [InlineData("redis", "kill")]
    [InlineData("redis", "pause")]
    [InlineData("redis", "cut")]
    public async Task The_loss_of_a_primary_loses_no_acknowledged_write(string kind, string fault)
    {
        // The lease of PostgreSQL's primary is 20 seconds, the others are missed after two to five. The limit is
        // larger, for a slow machine, and shorter than the loss. PostgreSQL takes nearly as long as the loss (17 to
        // 35 s measured): the report has the times, and the other primary shows that it was replaced.
        var (lasts, limit) = kind == "postgres" ? (30, 60) : (20, 15);
        var primary = await shop.PrimaryAsync(kind);
        var run = new ServiceFault(shop, output, primary, fault);

        await run.RunAsync(TimeSpan.FromSeconds(lasts));

        // A queue of RabbitMQ may choose it again.
        if (kind != "rabbitmq") (await shop.PrimaryAsync(kind)).ShouldNotBe(primary);
        foreach (var pause in (TimeSpan[])[run.Writes, run.Reads, run.Changes]) ShouldBeShort(pause, limit);
    }

    [Theory]
    [MemberData(nameof(OtherFaults))]
    public async Task The_loss_of_another_service_loses_no_acknowledged_write(string service, string fault)
    {
        // Commits wait for a replica until the primary misses it: up to 8.7 s measured. None may wait until it returns.
        var (lasts, limit) = (20, 15);
        var run = new ServiceFault(shop, output, await shop.ServiceAsync(service), fault);

        await run.RunAsync(TimeSpan.FromSeconds(lasts));

        foreach (var pause in (TimeSpan[])[run.Writes, run.Reads, run.Changes]) ShouldBeShort(pause, limit);
    }

    // Between two successes there is always a short time, unless none is measured.
    private static void ShouldBeShort(TimeSpan pause, int seconds) =>
        pause.ShouldBeInRange(TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(seconds));
}
