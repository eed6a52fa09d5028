using System.Globalization;
using ApexShop.Load.WriteSide;
using ApexShop.TestKit;

namespace ApexShop.Load.Projecting;

/// <summary>
/// How fast the Projector empties a full queue, in turns with a plain upsert of the resulting documents.
/// </summary>
internal static class ProjectorBench
{
    public const string Verb = "projector";

    private const int Scale = 3;
    public const int UsualTurns = 5;

    private const double RatioGoal = 0.4;
    private const double RateGoal = 32_000;

    /// <summary>Returns 0 when both goals are reached and 1 when one is missed.</summary>
    public static async Task<int> RunAsync(int turns, TextWriter output, CancellationToken ct)
    {
        var log = await RecordedLog.OfSeedAsync(Scale, ct);
        await output.WriteLineAsync($"{log.Events:N0} events in {log.Messages.Count} messages");
        await using var database = await TestDatabase.CreateAsync("projecting", ShopPrograms.MigrateAsync);
        await using var projector = new ProjectorRun(database);
        await projector.StartAsync(ct);

        // The first turn compiles the code and writes the documents that the control copies.
        await projector.TakeAsync(log, ct);
        var control = new BareUpsert(projector.Database);
        await control.ReadAsync(log.Last.Keys, ct);
        await control.TakeAsync(ct);

        var (taken, ratios) = (new List<Turn>(), new List<double>());
        while (taken.Count < turns)
        {
            var bare = control.Documents / await control.TakeAsync(ct);
            taken.Add(await projector.TakeAsync(log, ct));
            ratios.Add(log.Events / taken[^1].Seconds / bare);
            await output.WriteLineAsync(string.Create(
                CultureInfo.InvariantCulture,
                $"  turn {taken.Count} of {turns}: {log.Events / taken[^1].Seconds:0} events/s, "
                + $"bare upsert {bare:0} documents/s, ratio {ratios[^1]:0.00}; processor time: "
                + $"Projector {taken[^1].Projector:0.00} s, its connections {taken[^1].PostgreSql:0.00} s"));
        }

        return await ReportAsync(log, taken, ratios, output);
    }

    private static async Task<int> ReportAsync(
        RecordedLog log, List<Turn> taken, List<double> ratios, TextWriter output)
    {
        var rates = taken.Select(turn => log.Events / turn.Seconds).ToList();
        Figure[] figures =
        [
            Figure.OfRatio(
                "log to documents over bare upsert", ratios, $">= {Figure.Number(RatioGoal, "0.00")}", ratio =>
                    ratio >= RatioGoal),
            Figure.Of("log to documents", "events/s", "0", rates) with
            {
                Goal = $">= {Figure.Number(RateGoal, "0")}", Missed = Statistics.Median(rates) < RateGoal,
            },
            Figure.Of(
                "processor time of the Projector", "us/event", "0.0",
                [.. taken.Select(turn => turn.Projector / log.Events * 1e6)]),
            Figure.Of(
                "processor time of its connections", "us/event", "0.0",
                [.. taken.Select(turn => turn.PostgreSql / log.Events * 1e6)]),
        ];
        return await Figure.WriteAsync(output, figures);
    }
}
