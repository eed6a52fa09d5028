using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Writing;

/// <summary>Sessions of one process with the model of schema shop.</summary>
internal sealed class ModelLeaderConnections(SimulatedProcess process, ShopServer shop, Network network)
    : ILeaderConnections
{
    public async ValueTask<ILeaderConnection> OpenAsync(CancellationToken ct)
    {
        await network.CallAsync(process, shop.Server, "open session", () => { }, ct);
        return new Session(process, shop, network);
    }

    private sealed class Session : ILeaderConnection
    {
        private readonly SimulatedProcess process;
        private readonly ShopServer shop;
        private readonly Network network;
        private TaskCompletionSource notified = new();
        private bool isLost;

        public Session(SimulatedProcess process, ShopServer shop, Network network)
        {
            (this.process, this.shop, this.network) = (process, shop, network);
            process.AtEnd(() => network.Scheduler.After(network.Faults.Delay(), () => shop.End(this)));
        }

        public bool IsNotified { get; set; }

        public Task<TakenLease> TakeAsync(TimeSpan lease, bool isOffered, bool reachesBroker, CancellationToken ct) =>
            CallAsync("take lease", () => shop.Take(this, lease, isOffered, reachesBroker), ct);

        public Task ListenAsync(CancellationToken ct) => CallAsync(
            "listen",
            () =>
            {
                shop.Notified += Notify;
                return true;
            },
            ct);

        public async Task WaitAsync(TimeSpan limit, CancellationToken ct)
        {
            if (isLost) throw shop.Server.Lost();
            try
            {
                await notified.Task.WaitAsync(limit, process.Clock, ct);
                notified = new();
            }
            catch (TimeoutException)
            {
                // As without a notification.
            }
        }

        public Task<long?> MoveAsync(long term, int limit, TimeSpan lease, bool isOffered, CancellationToken ct) =>
            CallAsync("move outbox", () => shop.Move(term, limit, lease, isOffered), ct);

        public Task DisableSynchronousCommitAsync(CancellationToken ct) => Task.CompletedTask;

        public Task<List<LogEntry>> ReadAsync(long after, int limit, CancellationToken ct) =>
            CallAsync("read log", () => shop.Read(after, limit), ct);

        public Task<long> ReadPublishedAsync(CancellationToken ct) =>
            CallAsync("read cursor", () => shop.Published, ct);

        public Task MovePublishedAsync(long position, long term, CancellationToken ct) => CallAsync(
            "move cursor",
            () =>
            {
                shop.MovePublished(position, term);
                return true;
            },
            ct);

        public ValueTask DisposeAsync()
        {
            shop.Notified -= Notify;
            network.Scheduler.After(network.Faults.Delay(), () => shop.End(this));
            return ValueTask.CompletedTask;
        }

        // A connection that is lost stays lost, and its session ends.
        private async Task<T> CallAsync<T>(string name, Func<T> effect, CancellationToken ct)
        {
            if (isLost) throw shop.Server.Lost();
            try
            {
                return await network.CallAsync(process, shop.Server, name, effect, ct);
            }
            catch (Npgsql.NpgsqlException)
            {
                isLost = true;
                shop.Notified -= Notify;
                throw;
            }
        }

        private void Notify() => network.Scheduler.After(network.Faults.Delay(), () =>
        {
            if (isLost || process.IsDead || network.Faults.IsLost()) return;
            IsNotified = true;
            notified.TrySetResult();
        });
    }
}
