namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>Runs continuations on the test's thread, in order: a schedule is the same each time.</summary>
internal sealed class Pump : SynchronizationContext
{
    private readonly Queue<(SendOrPostCallback Call, object? State)> posted = new();

    public static void Run(Action<Pump> act)
    {
        var before = Current;
        var pump = new Pump();
        SetSynchronizationContext(pump);
        try
        {
            act(pump);
        }
        finally
        {
            SetSynchronizationContext(before);
        }
    }

    public override void Post(SendOrPostCallback d, object? state) => posted.Enqueue((d, state));

    public void Settle()
    {
        while (posted.TryDequeue(out var next)) next.Call(next.State);
    }
}
