using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Conformance;

/// <summary>Operations on a model without faults, one after another, as on the real server.</summary>
internal sealed class ModelRun
{
    public ModelRun(long seed)
    {
        Scheduler = new(seed);
        var faults = new FaultPlan(Scheduler.Random);
        faults.Heal();
        Network = new(Scheduler, faults);
        Process = new(Scheduler, "model");
    }

    public Scheduler Scheduler { get; }

    public Network Network { get; }

    public SimulatedProcess Process { get; }

    public T Run<T>(Func<Task<T>> operation)
    {
        var (result, failure) = (default(T), (Exception?)null);
        var isDone = false;
        Process.Run(async () =>
        {
            try
            {
                result = await operation();
            }
            catch (Exception exception)
            {
                failure = exception;
            }

            isDone = true;
        });
        Settle();
        if (Scheduler.Failure is { } wrong) throw wrong;
        if (failure is not null) throw failure;
        return isDone ? result! : throw new TimeoutException("The operation of the model does not end.");
    }

    public void Settle() => Scheduler.RunUntil(Scheduler.Elapsed + TimeSpan.FromSeconds(1));
}
