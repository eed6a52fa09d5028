using ApexShop.Events;
using ApexShop.Projector.EventLog;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Writing;

/// <summary>The event log as a Projector reads it over HTTP.</summary>
internal sealed class EventLogModel(SimulatedProcess process, ShopServer shop, Network network) : IEventLog
{
    private static readonly Server http = new(
        "event log", () => new EventLogException("The event log is unavailable."));

    public Task<List<LogEntry>> ReadAsync(string resource, long after, int limit, CancellationToken ct) =>
        network.CallAsync(process, http, "GET /events", () => shop.Read(after, limit, resource), ct);

    public Task<long> HeadAsync(CancellationToken ct) =>
        network.CallAsync(process, http, "GET head", () => (long)shop.Events.Count, ct);

    public Task<LogEntry?> NextAsync(long after, CancellationToken ct) =>
        network.CallAsync(process, http, "GET next", () => shop.Read(after, 1).SingleOrDefault(), ct);
}
