using System.Diagnostics;
using System.Globalization;
using ApexShop.Prove.Clients;

namespace ApexShop.Prove.Faults;

/// <summary>The shop of ./apexshop: pid files in its state folder, and ./apexshop start.</summary>
internal sealed class CommandLineControl : IShopControl
{
    private const int Starts = 5;

    private static readonly TimeSpan poll = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(60);
    // 82 s were measured.
    private static readonly TimeSpan longestReplacement = TimeSpan.FromMinutes(3);

    private readonly string state = ShopAddresses.Variable("APEXSHOP_STATE");
    private readonly string script = ShopAddresses.Variable("PROVE_SCRIPT");

    public IReadOnlyList<string> Names { get; } = ShopAddresses.Variable("PROVE_NAMES").Split(' ');

    public string? Database { get; } = ShopAddresses.Variable("PROVE_DATABASE");

    public Uri? Broker { get; } = new(ShopAddresses.Variable("PROVE_BROKER"));

    public string Exchange => "apexshop.events";

    public string ProjectorQueue => "apexshop.projector";

    public (string Host, int Port, string Password)? Redis { get; } =
        ShopAddresses.Variable("PROVE_REDIS").Split(':') is [var host, var port]
            ? (host, int.Parse(port, CultureInfo.InvariantCulture), ShopAddresses.Variable("PROVE_REDIS_PASSWORD"))
            : null;

    public string Receiver { get; } = ShopAddresses.Variable("PROVE_RECEIVER");

    public IReadOnlyList<string> Machines { get; } =
        ShopAddresses.Variable("PROVE_MACHINES").Split(' ', StringSplitOptions.RemoveEmptyEntries);

    public bool HasNetworks { get; } = ShopAddresses.Variable("PROVE_NETWORKS") == "yes";

    /// <summary>There is none while one is replaced.</summary>
    public async Task<string> PrimaryMachineAsync()
    {
        var began = TimeProvider.System.GetTimestamp();
        while (true)
        {
            try
            {
                return (await RunAsync("bash", script, "cluster", "primary")).Trim();
            }
            catch (InvalidOperationException) when (TimeProvider.System.GetElapsedTime(began) < longestReplacement)
            {
                await Task.Delay(poll);
            }
        }
    }

    public Task OnMachineAsync(string command, string machine) => RunAsync("bash", script, "cluster", command, machine);

    // Patroni, which is the PostgreSQL of a cluster, shuts it down at SIGTERM.
    public async Task SignalAsync(string name, string signal)
    {
        var isShutdown = Machines.Count > 0 && signal == "INT";
        await RunAsync("kill", "-s", isShutdown ? "TERM" : signal, Pid(name));
        // Without Patroni this was the PostgreSQL itself, whose sessions end with it, but do not stop with it.
        var isWhole = Machines.Count == 0 && signal is not ("STOP" or "CONT");
        if (!isShutdown && !isWhole) await PostgresProcesses.SignalAsync(Path.Combine(state, name, "data"), signal);
    }

    public Task KillPatroniAsync(string name) => RunAsync("kill", "-s", "KILL", Pid(name));

    public async Task EndAsync(string name)
    {
        var pid = Pid(name);
        var began = TimeProvider.System.GetTimestamp();
        while (Directory.Exists($"/proc/{pid}") && !IsZombie(pid))
        {
            if (TimeProvider.System.GetElapsedTime(began) > limit)
                throw new InvalidOperationException($"{name} ({pid}) did not end within {limit.TotalSeconds} s.");
            await Task.Delay(poll);
        }
    }

    /// <summary>Started again if it fails: a killed PostgreSQL is refused until its last children have ended.</summary>
    public async Task StartAsync(string name)
    {
        for (var start = 1; ; start++)
        {
            try
            {
                await RunAsync("bash", script, "start", name);
                return;
            }
            catch (InvalidOperationException) when (start < Starts)
            {
                await Task.Delay(poll * 10);
            }
        }
    }

    private static bool IsZombie(string pid)
    {
        try
        {
            return File.ReadAllText($"/proc/{pid}/stat").Contains(") Z ", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            // It has just ended.
            return true;
        }
    }

    private string Pid(string name) => File.ReadAllText(Path.Combine(state, name, "pid")).Split(' ')[0];

    internal static async Task<string> RunAsync(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in arguments) start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        if (process.ExitCode != 0)
            throw new InvalidOperationException(
                $"{program} {string.Join(' ', arguments)}: {await output}{await error}");
        return await output;
    }
}
