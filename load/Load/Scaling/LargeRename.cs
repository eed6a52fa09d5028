using System.Diagnostics;

namespace ApexShop.Load.Scaling;

/// <summary>
/// The renaming of the category with a tenth of all products, and what it does to other changes: their longest delay
/// until a query shows them.
/// </summary>
internal static class LargeRename
{
    public static async Task<(double Seconds, double LongestDelay)> TakeAsync(
        ScaledShop shop, string name, CancellationToken ct)
    {
        var others = ChangeProbes.All[0];
        var longest = 0.0;
        // Products of the category have the ids 1, 11, 21, ...
        var last = shop.Rows.Products - ((shop.Rows.Products - 1) % 10);
        var sent = Stopwatch.GetTimestamp();
        var expected = await ChangeProbes.RenamedAsync(shop, ScaledRows.Busiest, last, name, ct);
        var shown = ShownAsync();
        while (!shown.IsCompleted)
            longest = Math.Max(longest, await ChangeProbes.TakeAsync(others, shop, 0, ct) / 1_000);
        return (await shown, longest);

        async Task<double> ShownAsync()
        {
            await ChangeProbes.VisibleAsync(shop, expected, sent, ct);
            return Stopwatch.GetElapsedTime(sent).TotalSeconds;
        }
    }
}
