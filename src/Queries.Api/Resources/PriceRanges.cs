using System.Globalization;
using System.Text.Json;

namespace ApexShop.Queries.Api.Resources;

/// <summary>
/// The ranges by which products are counted: a price belongs to the last range that begins at or below it.
/// </summary>
internal static class PriceRanges
{
    // The last range has no end.
    private static readonly int[] starts = [0, 10, 25, 50, 100, 250, 500, 1000];

    /// <summary>The number of a row's range, from 1.</summary>
    public static string Sql { get; } = string.Create(
        CultureInfo.InvariantCulture, $"width_bucket(price, '{{{string.Join(',', starts)}}}'::numeric[])");

    /// <summary>Where the range begins, and where the next one does.</summary>
    public static void Write(Utf8JsonWriter json, int number)
    {
        json.WriteNumber("from", starts[number - 1]);
        if (number < starts.Length) json.WriteNumber("below", starts[number]);
        else json.WriteNull("below");
    }
}
