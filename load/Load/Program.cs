using System.Globalization;
using ApexShop.Load;
using ApexShop.Load.Projecting;
using ApexShop.Load.ReadSide;
using ApexShop.Load.Rebuilding;
using ApexShop.Load.Reports;
using ApexShop.Load.Scaling;
using ApexShop.Load.Starting;
using ApexShop.Load.WriteSide;

using var stop = new CancellationTokenSource();
// A host ends by itself; the process that started it gets the same signal.
if (args is [Host.Verb])
{
    await Host.RunAsync();
    return 0;
}

if (args is [StreamRatioControl.Verb])
{
    await StreamRatioControl.RunAsync();
    return 0;
}

Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};

try
{
    switch (args)
    {
        case ["visibility", "busy", .. var count]:
            var busyPairs = count is [var many] ? int.Parse(many, CultureInfo.InvariantCulture) : 200;
            await WriteToReadLatency.RunBusyAsync(Shop.FromEnvironment(), busyPairs, Console.Out, stop.Token);
            return 0;
        case ["visibility", ..]:
            var pairs = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 200;
            await WriteToReadLatency.RunAsync(Shop.FromEnvironment(), pairs, Console.Out, stop.Token);
            return 0;
        case [CommandBench.Verb, .. var areas] when areas.All(CommandBench.Knows):
            return await CommandBench.RunAsync(areas, Console.Out, stop.Token);
        case [ProjectorBench.Verb, ..]:
            var turns = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : ProjectorBench.UsualTurns;
            return await ProjectorBench.RunAsync(turns, Console.Out, stop.Token);
        case [RebuildBench.Verb, ..]:
            var rebuilds = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : RebuildBench.UsualTurns;
            var scale = args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : 1;
            return await RebuildBench.RunAsync(rebuilds, scale, Console.Out, stop.Token);
        case [ScaleBench.Verb, .. var sizes] when ScaleBench.Knows(sizes):
            return await ScaleBench.RunAsync(sizes, Console.Out, stop.Token);
        case [HotBench.Verb, .. var wanted] when wanted.Length < 2 && ScaleBench.Knows(wanted):
            var hotProducts = wanted is [var asked]
                ? int.Parse(asked, CultureInfo.InvariantCulture)
                : HotBench.UsualProducts;
            return await HotBench.RunAsync(hotProducts, Console.Out, stop.Token);
        case [QueryBench.Verb, .. var areas] when areas.All(QueryBench.Knows):
            return await QueryBench.RunAsync(areas, Console.Out, stop.Token);
        case [StartBench.Verb, var published, .. var quick] when quick is [] or [BenchOptions.Quick]:
            var starts = new BenchOptions(Console.Out, quick is [BenchOptions.Quick]);
            return await StartBench.RunAsync(published, starts, stop.Token);
        case [LoadCommand.Verb, .. var options]:
            return await LoadCommand.RunAsync(options, Console.Out, stop.Token);
        case [ReportPage.Verb, var folder]:
            Console.WriteLine($"Report: {await ReportPage.WriteAsync(folder, stop.Token)}");
            return 0;
        default:
            await Console.Error.WriteLineAsync(
                $"Usage: load visibility [busy] [pairs] | {CommandBench.Verb} [{CommandBench.Areas}] | "
                + $"{QueryBench.Verb} [{QueryBench.Areas}] | {ProjectorBench.Verb} [turns] | "
                + $"{RebuildBench.Verb} [turns [scale]] | {ScaleBench.Verb} [products ...] | "
                + $"{HotBench.Verb} [products] | {StartBench.Verb} published | {LoadCommand.Verb} ...   "
                + "(through ./apexshop)");
            return 2;
    }
}
catch (Exception cut) when (stop.IsCancellationRequested && cut is (OperationCanceledException or HttpRequestException))
{
    await Console.Error.WriteLineAsync("Interrupted.");
    return 130;
}
