using System.Globalization;
using ApexShop.Prove.Checks;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Faults;
using ApexShop.Prove.Histories;
using ApexShop.Prove.Synthetic;

namespace ApexShop.Prove;

/// <summary>Runs and checks: the exit code is 1 if a guarantee was broken and 2 for a wrong use.</summary>
internal static class ProveCommand
{
    private const int Broken = 1;
    private const int Misused = 2;
    private const int Shown = 20;

    public static async Task<int> RunAsync(IReadOnlyList<string> args, TextWriter output, CancellationToken ct)
    {
        if (args is ["--faults", "help"]) return await ListAsync(output);
        if (args is ["--check", var folder])
            return await CheckAsync(await ReadAsync(folder, output, ct), folder, output);
        if (args is ["--synthetic", var count, "--folder", var target])
        {
            await SyntheticHistory.WriteAsync(target, int.Parse(count, CultureInfo.InvariantCulture), ct);
            return await CheckAsync(await ReadAsync(target, output, ct), target, output);
        }

        var isChecked = args is ["--validate", ..];
        var (options, problem) = ProveOptions.Parse([.. args.Skip(isChecked ? 1 : 0)]);
        problem ??= FaultProblem(options!.Faults);
        if (problem is null) return isChecked ? 0 : await AttackAsync(options!, output, ct);
        await output.WriteLineAsync($"{problem}\n{ProveOptions.Usage}");
        return Misused;
    }

    private static async Task<int> AttackAsync(ProveOptions options, TextWriter output, CancellationToken ct)
    {
        await output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"seed {options.Seed}: {options.Clients} clients for {options.Seconds} s, faults: {options.Faults}"));
        var began = TimeProvider.System.GetTimestamp();
        double Elapsed() => TimeProvider.System.GetElapsedTime(began).TotalSeconds;
        void Report(string text) =>
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {Elapsed(),6:0.0} s  {text}"));
        var isCluster = !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("PROVE_MACHINES"));
        var isPrivate = Environment.GetEnvironmentVariable("PROVE_NAMES") is not null;
        var run = new ProveRun(
            ShopAddresses.FromEnvironment(), isPrivate ? new CommandLineControl() : null, options, isPrivate, Report);
        var history = await run.RunAsync(ct);
        var result = await CheckAsync(history, options.Folder, output);
        if (result != 0)
            await output.WriteLineAsync(string.Create(
                CultureInfo.InvariantCulture,
                $"again with the same plan: ./apexshop prove --seed {options.Seed} --seconds {options.Seconds} "
                + $"--clients {options.Clients} --faults {options.Faults}{(isCluster ? " --cluster" : "")}"));
        return result;
    }

    /// <summary>Prints the counts of a history and its violations.</summary>
    public static async Task<int> CheckAsync(History history, string folder, TextWriter output)
    {
        var began = TimeProvider.System.GetTimestamp();
        var violations = Check.Run(history);
        var seconds = TimeProvider.System.GetElapsedTime(began).TotalSeconds;
        await output.WriteLineAsync(Summary.Of(history));
        if (history.Header.Failure is { } failure)
            await output.WriteLineAsync(
                $"The run has failed ({failure}): the log may lack changes, and nothing was read at rest.");
        foreach (var pause in Pauses.Of(history)) await output.WriteLineAsync(pause);
        await output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"{Check.All.Count} checks in {seconds:0.0} s: {violations.Count} violations (history in {folder})"));
        foreach (var same in violations.GroupBy(violation => violation.Check))
        {
            await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{same.Key}: {same.Count()}"));
            foreach (var violation in same.Take(Shown)) await output.WriteLineAsync($"  {violation.Text}");
        }

        return violations.Count == 0 ? 0 : Broken;
    }

    private static async Task<History> ReadAsync(string folder, TextWriter output, CancellationToken ct)
    {
        var began = TimeProvider.System.GetTimestamp();
        var history = await HistoryFolder.ReadAsync(folder, ct);
        await output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"{folder} was read in {TimeProvider.System.GetElapsedTime(began).TotalSeconds:0.0} s"));
        return history;
    }

    private static async Task<int> ListAsync(TextWriter output)
    {
        foreach (var fault in Fault.All) await output.WriteLineAsync($"  {fault.Name,-24} {fault.Text}");
        await output.WriteLineAsync(
            $"{Fault.All.Count} faults; --faults takes names or beginnings, all or none, + between lists at once.");
        return 0;
    }

    private static string? FaultProblem(string list)
    {
        if (list == "help") return null;
        try
        {
            Fault.Lists(list);
            return null;
        }
        catch (ArgumentException unknown)
        {
            return unknown.Message;
        }
    }
}
