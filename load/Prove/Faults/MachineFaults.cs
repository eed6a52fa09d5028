namespace ApexShop.Prove.Faults;

/// <summary>What happens to a whole machine of a cluster, or to what supervises its PostgreSQL.</summary>
internal static class MachineFaults
{
    // Longer than the lease of the primary PostgreSQL, so that another one is promoted.
    private static readonly TimeSpan absence = TimeSpan.FromSeconds(30);

    public static IEnumerable<Fault> All =>
    [
        Absent("kill-machine", "kill -9 of everything on one of three machines, started again after 30 s",
            HasMachines, One, "kill", "start"),
        Absent("freeze-machine", "SIGSTOP of everything on one of three machines for 30 s",
            HasMachines, One, "freeze", "unfreeze"),
        Absent("freeze-primary", "the same on the machine of the primary PostgreSQL",
            HasMachines, context => context.Control.PrimaryMachineAsync(), "freeze", "unfreeze"),
        Absent("cut-machine", "cuts one of three machines off the network for 30 s",
            control => control.HasNetworks, One, "cut", "join"),
        new("kill-patroni", "kill -9 of one Patroni, not of its PostgreSQL, started again after 30 s",
            HasMachines, context => KillPatroniAsync(context.Control, context.One("postgres"))),
        new("kill-patroni-primary", "the same of the primary PostgreSQL", HasMachines, async context =>
        {
            var machine = await context.Control.PrimaryMachineAsync();
            await KillPatroniAsync(context.Control, machine == "1" ? "postgres" : $"postgres-{machine}");
        }),
    ];

    private static async Task KillPatroniAsync(IShopControl control, string name)
    {
        await control.KillPatroniAsync(name);
        await control.EndAsync(name);
        await Task.Delay(absence);
        await control.StartAsync(name);
    }

    private static Fault Absent(
        string name,
        string text,
        Func<IShopControl, bool> isPossible,
        Func<FaultContext, Task<string>> choose,
        string leave,
        string enter) => new(name, text, isPossible, async context =>
        {
            var machine = await choose(context);
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

    private static bool HasMachines(IShopControl control) => control.Machines.Count > 0;

    private static Task<string> One(FaultContext context) =>
        Task.FromResult(context.Control.Machines[context.Random.Next(context.Control.Machines.Count)]);
}
