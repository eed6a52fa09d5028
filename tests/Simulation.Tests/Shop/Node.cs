using System.Reflection;
using ApexShop.Simulation.Tests.Scheduling;
using Microsoft.Extensions.Hosting;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>A process that starts again some time after each crash, with nothing of what it had in memory.</summary>
internal abstract class Node(SimulatedShop shop, string name)
{
    // A host runs it on threads of its own.
    private static readonly MethodInfo execute = typeof(BackgroundService).GetMethod(
        "ExecuteAsync", BindingFlags.Instance | BindingFlags.NonPublic)!;

    protected SimulatedShop Shop => shop;

    public SimulatedProcess Process { get; private set; } = null!;

    public void Start()
    {
        Process = new SimulatedProcess(shop.Scheduler, name);
        Process.AtEnd(() => shop.Scheduler.After(shop.Scheduler.Random.Between(50, 3_000), Start));
        shop.Scheduler.Trace.Add(shop.Scheduler.Now, name, "starts");
        Process.Post(_ => Compose(Process), null);
    }

    /// <summary>Creates the parts of the process as its host does, and runs its services.</summary>
    protected abstract void Compose(SimulatedProcess process);

    protected static void Run(SimulatedProcess process, BackgroundService service) =>
        process.Run(() => (Task)execute.Invoke(service, [CancellationToken.None])!);
}
