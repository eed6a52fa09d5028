namespace ApexShop.Prove.Faults;

/// <summary>Signals to the processes of the shop and to its servers.</summary>
internal static class ProcessFaults
{
    private static readonly TimeSpan breath = TimeSpan.FromSeconds(1.5);

    // Longer than the lease of a leader and the timeouts of the caches; a balancer refuses a PostgreSQL within it, and
    // no other one is promoted.
    private static readonly TimeSpan hang = TimeSpan.FromSeconds(12);

    private static readonly string[] processes = ["commands", "projector", "queries"];
    private static readonly string[] servers = ["postgres", "rabbitmq", "redis", "etcd", "sentinel", "balancer"];

    public static IEnumerable<Fault> All =>
    [
        .. processes.Concat(servers).Select(Kill),
        .. processes.Concat(servers).Select(Restart),
        .. processes.Concat(servers).Select(kind => Freeze("pause", kind, breath)),
        .. processes.Concat(servers).Select(kind => Freeze("hang", kind, hang)),
        .. processes.Select(KillAll),
        new("kill-shop", "kills all processes of the shop", control => Has(control, "commands"), KillShopAsync),
    ];

    private static Fault Kill(string kind) => new(
        $"kill-{kind}", $"kill -9 of one {kind}, started again", control => Has(control, kind),
        context => EndAsync(context.Control, [context.One(kind)], "KILL"));

    private static Fault Restart(string kind) => new(
        $"restart-{kind}", $"SIGTERM (SIGINT for postgres) to one {kind}, started again",
        control => Has(control, kind),
        context => EndAsync(context.Control, [context.One(kind)], kind == "postgres" ? "INT" : "TERM"));

    private static Fault Freeze(string verb, string kind, TimeSpan time) => new(
        $"{verb}-{kind}", $"SIGSTOP of one {kind} for {time.TotalSeconds} s", control => Has(control, kind),
        async context =>
        {
            var name = context.One(kind);
            await context.Control.SignalAsync(name, "STOP");
            try
            {
                await Task.Delay(time);
            }
            finally
            {
                await context.Control.SignalAsync(name, "CONT");
            }
        });

    private static Fault KillAll(string kind) => new(
        $"kill-all-{kind}", $"kill -9 of every {kind} at once", control => Has(control, kind),
        context => EndAsync(context.Control, context.Of(kind), "KILL"));

    private static Task KillShopAsync(FaultContext context) =>
        EndAsync(context.Control, [.. processes.SelectMany(context.Of)], "KILL");

    private static async Task EndAsync(IShopControl control, IReadOnlyList<string> names, string signal)
    {
        foreach (var name in names) await control.SignalAsync(name, signal);
        foreach (var name in names) await control.EndAsync(name);
        foreach (var name in names) await control.StartAsync(name);
    }

    private static bool Has(IShopControl control, string kind) =>
        control.Names.Any(name => name == kind || name.StartsWith($"{kind}-", StringComparison.Ordinal));
}
