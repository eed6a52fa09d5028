using System.Diagnostics;
using ApexShop.ReadModels;

namespace ApexShop.Load.Scaling;

/// <summary>
/// The renaming of the category with a tenth of all products: when a query shows the new name, when all documents are
/// written with it, and how long other changes take until then.
/// </summary>
internal sealed record LargeRename(double ShownMilliseconds, double WrittenSeconds, IReadOnlyList<double> Others)
{
    public static async Task<LargeRename> TakeAsync(ScaledShop shop, string name, CancellationToken ct)
    {
        var others = new List<double>();
        // Products of the category have the ids 1, 11, 21, ...
        var last = shop.Rows.Products - ((shop.Rows.Products - 1) % 10);
        var sent = Stopwatch.GetTimestamp();
        var expected = await ChangeProbes.RenamedAsync(shop, ScaledRows.Busiest, last, name, ct);
        await ChangeProbes.VisibleAsync(shop, expected, sent, ct);
        var shown = Stopwatch.GetElapsedTime(sent).TotalMilliseconds;
        while (await shop.AskAsync<bool>($"SELECT EXISTS (SELECT FROM {ReadTables.PendingNames})", ct))
            others.Add(await ChangeProbes.TakeAsync(ChangeProbes.All[0], shop, 0, ct));
        return new(shown, Stopwatch.GetElapsedTime(sent).TotalSeconds, others);
    }
}
