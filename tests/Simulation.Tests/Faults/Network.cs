using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Faults;

/// <summary>
/// Operations between a process and a server. Each may be slow, may be lost before or after it took effect, and the
/// process may crash before or after the effect.
/// </summary>
internal sealed class Network(Scheduler scheduler, FaultPlan faults)
{
    public FaultPlan Faults => faults;

    public Scheduler Scheduler => scheduler;

    public Task<T> CallAsync<T>(
        SimulatedProcess caller, Server server, string name, Func<T> effect, CancellationToken ct = default) =>
        CallAsync<T>(caller, server, name, reply => reply.Give(effect()), ct);

    public Task CallAsync(
        SimulatedProcess caller, Server server, string name, Action effect, CancellationToken ct = default) =>
        CallAsync<bool>(
            caller,
            server,
            name,
            reply =>
            {
                effect();
                reply.Give(true);
            },
            ct);

    /// <summary>The effect may reply later, as a statement that waits for a lock.</summary>
    public Task<T> CallAsync<T>(
        SimulatedProcess caller,
        Server server,
        string name,
        Action<Reply<T>> effect,
        CancellationToken ct = default)
    {
        if (ct.IsCancellationRequested) return Task.FromCanceled<T>(ct);
        var reply = new Reply<T>(scheduler, faults, server);
        if (ct.CanBeCanceled) ct.UnsafeRegister(_ => reply.Received.TrySetCanceled(ct), null);
        var isLost = faults.IsLost();
        if (faults.IsCrash()) scheduler.After(faults.Delay(), caller.Crash);
        scheduler.After(faults.Delay(), () => Arrive(caller, server, name, effect, isLost, reply));
        return reply.Received.Task;
    }

    /// <summary>The same without faults of its own: it fails only while the server is down.</summary>
    public Task<T> CallPromptlyAsync<T>(SimulatedProcess caller, Server server, string name, Func<T> effect)
    {
        var received = new TaskCompletionSource<T>();
        scheduler.After(faults.ShortDelay(), () =>
        {
            scheduler.Trace.Add(scheduler.Now, caller.Name, name, server.IsDown ? -1 : 0);
            if (server.IsDown)
            {
                received.TrySetException(server.Lost());
                return;
            }

            var result = effect();
            scheduler.After(faults.ShortDelay(), () => received.TrySetResult(result));
        });
        return received.Task;
    }

    private void Arrive<T>(
        SimulatedProcess caller, Server server, string name, Action<Reply<T>> effect, bool isLost, Reply<T> reply)
    {
        scheduler.Trace.Add(scheduler.Now, caller.Name, name, isLost || server.IsDown ? -1 : 0);
        if (isLost || server.IsDown) reply.Refuse(server.Lost());
        else
        {
            try
            {
                effect(reply);
            }
            catch (ServerException exception)
            {
                reply.Refuse(exception.Reply);
            }
        }

        if (faults.IsCrash()) caller.Crash();
    }
}

/// <summary>The reply of a server, which travels to the caller, or is lost.</summary>
internal sealed class Reply<T>(Scheduler scheduler, FaultPlan faults, Server server)
{
    private bool isGiven;

    public TaskCompletionSource<T> Received { get; } = new();

    public void Give(T result)
    {
        if (faults.IsLost()) Refuse(server.Lost());
        else Send(() => Received.TrySetResult(result));
    }

    public void Refuse(Exception exception) => Send(() => Received.TrySetException(exception));

    private void Send(Action complete)
    {
        if (isGiven) return;
        isGiven = true;
        scheduler.After(faults.Delay(), complete);
    }
}

/// <summary>What a server replies instead of a result.</summary>
internal sealed class ServerException(Exception reply) : Exception
{
    public Exception Reply => reply;
}
