using System.Runtime.CompilerServices;
using ApexShop.TestKit;

namespace ApexShop.Load.Scaling;

/// <summary>The figures of shops of different sizes.</summary>
internal sealed class SizeRows(IReadOnlyList<ScaledShop> shops)
{
    private const int Turns = 7;
    private const int Requests = 200;
    private const int Changes = 10;
    private const int Starts = 3;

    private static readonly (string What, Func<ScaledShop, ShopProcess> Of)[] processes =
    [
        ("Commands.Api", shop => shop.Commands),
        ("the Projector", shop => shop.Projector),
        ("Queries.Api", shop => shop.Queries),
    ];

    private static readonly (string What, string Tables)[] disk =
    [
        ("the tables of the shop", "nspname = 'shop' AND relname <> 'events'"),
        ("the log", "nspname = 'shop' AND relname = 'events'"),
        ("the documents", "nspname = 'read'"),
    ];

    public async IAsyncEnumerable<SizeRow> MeasureAsync([EnumeratorCancellation] CancellationToken ct)
    {
        foreach (var probe in ReadProbes.All)
        {
            var times = await InTurnsAsync(
                Turns, (shop, turn) => ReadProbes.TakeAsync(probe, shop, new Random(turn), Requests, ct));
            foreach (var row in Times(probe.What, "0.00", times)) yield return row;
        }

        foreach (var probe in ChangeProbes.All)
        {
            var times = await InTurnsAsync(Turns, async (shop, turn) =>
            {
                var taken = new double[Changes];
                for (var i = 0; i < Changes; i++)
                    taken[i] = await ChangeProbes.TakeAsync(probe, shop, (turn * Changes) + i, ct);
                return taken;
            });
            foreach (var row in Times($"{probe.What}, until a query shows it", "0.0", times)) yield return row;
        }

        await foreach (var row in RenamesAsync(ct)) yield return row;
        await foreach (var row in OfAllAsync(ct)) yield return row;
    }

    private async IAsyncEnumerable<SizeRow> RenamesAsync([EnumeratorCancellation] CancellationToken ct)
    {
        var renames = new List<LargeRename>();
        foreach (var shop in shops)
        {
            renames.Add(await LargeRename.TakeAsync(
                shop,
                () => ChangeProbes.RenamedAsync(shop, ScaledRows.Busiest, shop.Rows.LastOfBusiest, "Renamed", ct),
                () => Task.CompletedTask,
                ct));
        }

        yield return new(
            "a renamed category with a tenth of all products, until a query of the last of them shows it", "ms", "0.0",
            false, [.. renames.Select(rename => rename.ShownMilliseconds)]);
        yield return new(
            "the same, until all of their documents are written again", "s", "0.0", false,
            [.. renames.Select(rename => rename.WrittenSeconds)]);
        List<double>[] others = [.. renames.Select(rename => rename.Others.ToList())];
        foreach (var row in Times("a new product meanwhile, until a query shows it", "0.0", others)) yield return row;
    }

    private async IAsyncEnumerable<SizeRow> OfAllAsync([EnumeratorCancellation] CancellationToken ct)
    {
        foreach (var (what, of) in processes)
        {
            yield return new(
                $"{what}: resident memory", "MB", "0", true,
                [.. shops.Select(shop => of(shop).ResidentBytes / 1e6)]);
        }

        yield return new(
            "the Projector in the rebuild: highest memory above that after its start", "MB", "0", true,
            [.. shops.Select(shop => shop.RebuildMegabytes)]);
        yield return new(
            "a rebuild, for 100,000 products", "s", "0.00", true,
            [.. shops.Select(shop => shop.RebuildSeconds * 100_000 / shop.Rows.Products)]);
        yield return new(
            "a rebuild, its time divided by that of a COPY of the same rows", "times", "0.00", true,
            await EachAsync(async shop => shop.RebuildSeconds / await shop.CopyAsync(ct)));
        var audits = await EachAsync(shop => shop.AuditAsync(ct));
        yield return new(
            "an audit, for 100,000 products", "s", "0.00", true,
            [.. audits.Zip(shops, (audit, shop) => audit.Seconds * 100_000 / shop.Rows.Products)]);
        yield return new(
            "Commands.Api in the audit: highest memory above that before", "MB", "0", false,
            [.. audits.Select(audit => audit.Commands)]);
        yield return new(
            "the Projector in the audit: highest memory above that before", "MB", "0", false,
            [.. audits.Select(audit => audit.Projector)]);
        foreach (var (what, tables) in disk)
        {
            yield return new(
                $"{what} on disk, for a product", "bytes", "0", true,
                await EachAsync(async shop => await BytesAsync(shop, tables, ct) / (double)shop.Rows.Products));
        }

        foreach (var (what, of) in processes)
        {
            var times = await InTurnsAsync(Starts, async (shop, _) => [await ScaledShop.RestartAsync(of(shop))]);
            yield return new(
                $"{what}: from its start until it is ready", "s", "0.00", true, [.. times.Select(Statistics.Median)]);
        }
    }

    private static Task<long> BytesAsync(ScaledShop shop, string tables, CancellationToken ct) => shop.AskAsync<long>(
        "SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class AS c JOIN pg_namespace AS n "
        + $"ON n.oid = relnamespace WHERE relkind = 'r' AND {tables}", ct);

    private static SizeRow[] Times(string what, string format, List<double>[] milliseconds) =>
    [
        new($"{what}: p50", "ms", format, true, [.. milliseconds.Select(Statistics.Median)]),
        new($"{what}: p99", "ms", format, true, [.. milliseconds.Select(one => Statistics.Percentile(one, 0.99))]),
    ];

    private async Task<T[]> EachAsync<T>(Func<ScaledShop, Task<T>> takeAsync)
    {
        var taken = new List<T>();
        foreach (var shop in shops) taken.Add(await takeAsync(shop));
        return [.. taken];
    }

    // One after the other in each turn, so that a slow moment of the machine is one of all sizes.
    private async Task<List<double>[]> InTurnsAsync(int turns, Func<ScaledShop, int, Task<double[]>> takeAsync)
    {
        List<double>[] times = [.. shops.Select(_ => new List<double>())];
        for (var turn = 0; turn <= turns; turn++)
        {
            for (var i = 0; i < shops.Count; i++)
            {
                var taken = await takeAsync(shops[i], turn);
                // The first turn compiles the code and reads the pages of the tables.
                if (turn > 0) times[i].AddRange(taken);
            }
        }

        return times;
    }
}
