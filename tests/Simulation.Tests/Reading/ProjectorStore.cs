using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Projecting;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Planted;
using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Reading;

/// <summary>What a Projector does with the model of schema read.</summary>
internal sealed class ProjectorStore(SimulatedProcess process, ReadServer read, Network network, Bugs bugs)
    : IProjectionStore, ICheckpoints, IRaisedTags
{
    // PostgreSQL ends the session of a process that hangs in a transaction.
    private static readonly TimeSpan hangLimit = TimeSpan.FromSeconds(8);

    public async Task<T> InTransactionAsync<T>(Func<IProjectionTransaction, Task<T>> work, CancellationToken ct)
    {
        var transaction = new ReadTransaction(process, read, network);
        await network.CallAsync(process, read.Server, "begin", () => Begin(transaction), ct);
        try
        {
            return await work(bugs.Transaction(transaction));
        }
        finally
        {
            network.Scheduler.After(network.Faults.Delay(), () => read.End(transaction));
        }
    }

    public Task<long> EpochAsync(CancellationToken ct) => CallAsync("read epoch", () => 1L, ct);

    public Task<long> HighestAsync(CancellationToken ct) =>
        CallAsync("read checkpoints", () => read.Checkpoints.Values.Max(one => one.Position), ct);

    public Task<long> PositionAsync(string resource, CancellationToken ct) =>
        CallAsync("read checkpoint", () => read.Checkpoints[resource].Position, ct);

    public Task<PendingTags?> PendingAsync(CancellationToken ct) => CallAsync(
        "read tags", () => read.HasPending ? read.Pending() with { At = default } : null, ct);

    public Task ClearAsync(PendingTags raised, CancellationToken ct) =>
        network.CallAsync(process, read.Server, "clear tags", () => read.Clear(raised), ct);

    private void Begin(ReadTransaction transaction)
    {
        process.AtEnd(() => network.Scheduler.After(network.Faults.Delay(), () => read.End(transaction)));
        Watch();

        void Watch() => network.Scheduler.After(hangLimit, () =>
        {
            if (transaction.IsEnded) return;
            if (network.Scheduler.Now - transaction.LastUsed >= hangLimit.Ticks) read.End(transaction);
            else Watch();
        });
    }

    private Task<T> CallAsync<T>(string name, Func<T> effect, CancellationToken ct) =>
        network.CallAsync(process, read.Server, name, effect, ct);
}
