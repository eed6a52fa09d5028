using ApexShop.Events;
using ApexShop.Projector.EventLog;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.Simulation.Tests.Shop;

namespace ApexShop.Simulation.Tests.Writing;

/// <summary>The event log as a Projector reads it over HTTP, from any process of Commands.Api.</summary>
internal sealed class EventLogModel(SimulatedProcess process, SimulatedShop shop) : IEventLog
{
    private static readonly Server http = new("event log", Unavailable);

    public Task<List<LogEntry>> ReadAsync(string resource, long after, int limit, CancellationToken ct) =>
        CallAsync("GET /events", log => log.Read(after, limit, resource), ct);

    public Task<long> HeadAsync(CancellationToken ct) => CallAsync("GET head", log => (long)log.Events.Count, ct);

    public Task<LogEntry?> NextAsync(long after, CancellationToken ct) =>
        CallAsync("GET next", log => log.Read(after, 1).SingleOrDefault(), ct);

    private Task<T> CallAsync<T>(string name, Func<ShopServer, T> read, CancellationToken ct) =>
        shop.Network.CallAsync(
            process,
            http,
            name,
            () => IsUp ? read(shop.Write) : throw new ServerException(Unavailable()),
            ct);

    private bool IsUp => !shop.Write.Server.IsDown && shop.Commands.Any(node => node.Process.IsRunning);

    private static EventLogException Unavailable() => new("The event log is unavailable.");
}
