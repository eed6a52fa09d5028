using System.Globalization;

namespace ApexShop.Load.Scaling;

/// <summary>
/// Shops of different sizes, measured in turns: what one request, change, start or rebuild costs in each.
/// </summary>
internal static class ScaleBench
{
    public const string Verb = "scale";

    private const int Smallest = 10_000;
    private const int Largest = 10_000_000;

    private static readonly int[] usual = [100_000, 1_000_000];

    /// <summary>Whether the arguments are numbers of products.</summary>
    public static bool Knows(IReadOnlyList<string> sizes) => sizes.All(size =>
        int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out var products)
        && products is >= Smallest and <= Largest);

    /// <summary>Returns 0 when every figure that should not grow is flat and 1 when one is not.</summary>
    public static async Task<int> RunAsync(IReadOnlyList<string> wanted, TextWriter output, CancellationToken ct)
    {
        int[] sizes = wanted is []
            ? usual
            : [.. wanted.Select(size => int.Parse(size, CultureInfo.InvariantCulture)).Order()];
        var shops = new List<ScaledShop>();
        try
        {
            foreach (var size in sizes)
            {
                await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{size:N0} products"));
                shops.Add(await ScaledShop.StartAsync(new(size, ScaledRows.OneInTen), output, ct));
            }

            await output.WriteLineAsync("\n" + SizeRow.Heading(sizes));
            var missed = false;
            await foreach (var row in new SizeRows(shops).MeasureAsync(ct))
            {
                await output.WriteLineAsync(row.ToString());
                missed |= row.Missed;
            }

            return missed ? 1 : 0;
        }
        finally
        {
            foreach (var shop in shops) await shop.DisposeAsync();
        }
    }
}
