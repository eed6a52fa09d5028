using System.Diagnostics;
using ApexShop.ReadModels;

namespace ApexShop.Load.Scaling;

/// <summary>
/// A changed name that very many documents show: when a query shows it, when all documents are written with it, and how
/// long other changes take until then.
/// </summary>
internal sealed record LargeRename(double ShownMilliseconds, double WrittenSeconds, IReadOnlyList<double> Others)
{
    /// <summary>
    /// The renaming returns the last of the documents; <paramref name="readAsync"/> runs after each other change.
    /// </summary>
    public static async Task<LargeRename> TakeAsync(
        ScaledShop shop, Func<Task<ExpectedChange>> renameAsync, Func<Task> readAsync, CancellationToken ct)
    {
        var others = new List<double>();
        var sent = Stopwatch.GetTimestamp();
        await ChangeProbes.VisibleAsync(shop, await renameAsync(), sent, ct);
        var shown = Stopwatch.GetElapsedTime(sent).TotalMilliseconds;
        while (await shop.AskAsync<bool>($"SELECT EXISTS (SELECT FROM {ReadTables.PendingNames})", ct))
        {
            others.Add(await ChangeProbes.TakeAsync(ChangeProbes.NewProduct, shop, 0, ct));
            await readAsync();
        }

        return new(shown, Stopwatch.GetElapsedTime(sent).TotalSeconds, others);
    }
}
