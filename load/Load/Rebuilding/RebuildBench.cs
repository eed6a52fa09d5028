using System.Globalization;
using System.Net.Http.Json;
using ApexShop.Load.WriteSide;
using ApexShop.Operations;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Load.Rebuilding;

/// <summary>
/// The duration of a rebuild of the sample shop, in turns with a plain COPY of the resulting rows, how much memory the
/// Projector takes for it, and what pages take meanwhile.
/// </summary>
internal static class RebuildBench
{
    public const string Verb = "rebuild";
    public const int UsualTurns = 5;

    private const double Goal = 5;
    private const double MemoryGoal = 150;
    private const double ReadGoal = 2;

    private static readonly Uri rebuild = new("/admin/projections/rebuild", UriKind.Relative);

    /// <summary>Returns 0 when the goal is reached and 1 when it is missed.</summary>
    public static async Task<int> RunAsync(int turns, int scale, TextWriter output, CancellationToken ct)
    {
        await using var shop = await TestKit.Shop.StartAsync();
        await using var database = NpgsqlDataSource.Create(shop.Database.Superuser + ";Command Timeout=0");
        await SeedAsync(shop, scale, database, ct);
        await shop.Projector.KillAsync();
        await shop.Projector.StartAsync();

        // The first turn compiles the code.
        var memory = new ResidentMemory(shop.Projector);
        var status = await RebuildAsync(shop.Commands.Http, ct);
        var control = new BareCopy(database);
        await control.TakeAsync(ct);
        var (copies, rebuilds, ratios) = (new List<double>(), new List<double>(), new List<double>());
        while (ratios.Count < turns)
        {
            copies.Add(await control.TakeAsync(ct));
            rebuilds.Add((await RebuildAsync(shop.Commands.Http, ct)).Seconds);
            ratios.Add(rebuilds[^1] / copies[^1]);
            await output.WriteLineAsync(string.Create(
                CultureInfo.InvariantCulture,
                $"  turn {ratios.Count} of {turns}: rebuild {rebuilds[^1]:0.00} s, COPY {copies[^1]:0.00} s, "
                + $"ratio {ratios[^1]:0.00}"));
        }

        // In turns of their own, because they take time from the rebuild.
        var reads = new ReadsMeanwhile(shop.Queries.Http, await LastProductAsync(database, ct));
        var (quiet, meanwhile) = (new List<double>(), new List<double>());
        // The first reads compile their code.
        await reads.UntilAsync(Task.Delay(TimeSpan.FromSeconds(1), ct), ct);
        for (var turn = 0; turn < turns; turn++)
        {
            quiet.AddRange(await reads.UntilAsync(Task.Delay(TimeSpan.FromSeconds(rebuilds.Max()), ct), ct));
            meanwhile.AddRange(await reads.UntilAsync(RebuildAsync(shop.Commands.Http, ct), ct));
        }

        var slower = Statistics.Percentile(meanwhile, 0.99) / Statistics.Percentile(quiet, 0.99);
        Figure[] figures =
        [
            Figure.OfRatio(
                $"rebuild of {status.Documents.Values.Sum(kind => kind.Done):N0} documents over COPY of the same rows",
                ratios, "<= 5", ratio => ratio <= Goal),
            Figure.Of("rebuild, from the request to the exchange", "s", "0.00", rebuilds),
            Figure.Of("COPY into tables with the same indexes", "s", "0.00", copies),
            Figure.Of("memory of the Projector after its start", "MB", "0", [memory.AtRest]),
            Figure.Of("its highest memory above that, in all rebuilds", "MB", "0", [memory.Above()]) with
            {
                Goal = $"<= {Figure.Number(MemoryGoal, "0")}", Missed = memory.Above() > MemoryGoal,
            },
            Figure.OfLatency("pages of 20 products, one caller, without a rebuild", quiet),
            Figure.OfLatency("the same during rebuilds", meanwhile),
            Figure.OfRatio("p99 during rebuilds over p99 without", [slower], "<= 2", ratio => ratio <= ReadGoal),
        ];
        return await Figure.WriteAsync(output, figures);
    }

    private static async Task SeedAsync(TestKit.Shop shop, int scale, NpgsqlDataSource database, CancellationToken ct)
    {
        using var seed = new HttpRequestMessage(HttpMethod.Post, "/admin/seed")
        {
            Content = JsonContent.Create(new { scale }),
        };
        // The time limit of the client ends with the headers.
        using (var seeded = await shop.Commands.Http.SendAsync(seed, HttpCompletionOption.ResponseHeadersRead, ct))
            await seeded.EnsureSuccessStatusCode().Content.ReadAsByteArrayAsync(ct);
        await Eventually.Holds(
            () => IsProjectedAsync(database, ct), "everything is projected", TimeSpan.FromMinutes(3 * scale));
    }

    /// <summary>Rebuilds all documents and waits for the end.</summary>
    public static async Task<RebuildStatus> RebuildAsync(HttpClient commands, CancellationToken ct)
    {
        using (var begun = await commands.PostAsync(rebuild, null, ct)) begun.EnsureSuccessStatusCode();
        RebuildStatus? status = null;
        await Eventually.Holds(
            async () =>
                (status = await commands.GetFromJsonAsync(rebuild, OperationsJson.Default.RebuildStatus, ct))!.State
                    != RebuildState.Running,
            "the rebuild ends",
            TimeSpan.FromHours(3));
        return status!.State == RebuildState.Done ? status : throw new InvalidOperationException(status.Failure);
    }

    private static async Task<int> LastProductAsync(NpgsqlDataSource database, CancellationToken ct)
    {
        await using var command = database.CreateCommand("SELECT max(id) FROM read.products");
        return (int)(await command.ExecuteScalarAsync(ct))!;
    }

    private static async Task<bool> IsProjectedAsync(NpgsqlDataSource database, CancellationToken ct)
    {
        await using var command = database.CreateCommand("""
            SELECT NOT EXISTS (SELECT FROM shop.outbox) AND NOT EXISTS (
                SELECT FROM shop.log_positions l JOIN read.checkpoints c ON c.resource = l.name
                    WHERE c.position < l.position)
            """);
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }
}
