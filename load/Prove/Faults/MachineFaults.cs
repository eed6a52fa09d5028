namespace ApexShop.Prove.Faults;

/// <summary>What happens to a whole machine of a cluster, with its part of every server.</summary>
internal static class MachineFaults
{
    // Longer than the lease of the primary PostgreSQL, so that another one is promoted.
    private static readonly TimeSpan absence = TimeSpan.FromSeconds(30);

    public static IEnumerable<Fault> All =>
    [
        new("kill-machine", "kill -9 of everything on one of three machines, started again",
            control => control.Machines.Count > 0, async context =>
            {
                var machine = One(context);
                await context.Control.OnMachineAsync("kill", machine);
                await Task.Delay(absence);
                await context.Control.OnMachineAsync("start", machine);
            }),
        Absent("freeze-machine", "SIGSTOP of everything on one of three machines for 30 s", "freeze", "unfreeze",
            control => control.Machines.Count > 0),
        Absent("cut-machine", "cuts one of three machines off the network for 30 s", "cut", "join",
            control => control.HasNetworks),
    ];

    private static Fault Absent(
        string name, string text, string leave, string enter, Func<IShopControl, bool> isPossible) => new(
        name, text, isPossible, async context =>
        {
            var machine = One(context);
            await context.Control.OnMachineAsync(leave, machine);
            try
            {
                await Task.Delay(absence);
            }
            finally
            {
                await context.Control.OnMachineAsync(enter, machine);
            }
        });

    private static string One(FaultContext context) =>
        context.Control.Machines[context.Random.Next(context.Control.Machines.Count)];
}
