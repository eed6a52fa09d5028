using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using ApexShop.Client.Requests;

namespace ApexShop.Client;

/// <summary>A part of a list, with a request of its own. Its problems name the places in the part.</summary>
internal static partial class ListPart
{
    /// <summary>The lines of the response to a part; a refusal names the items of the whole list.</summary>
    public static async IAsyncEnumerable<ChunkLine> LinesAsync(
        ShopConnection shop, ShopRequest request, int first, [EnumeratorCancellation] CancellationToken ct)
    {
        await using var lines = shop.LinesAsync<ChunkLine>(request, ct).GetAsyncEnumerator(ct);
        while (await MoveNextAsync(lines, first)) yield return lines.Current;
    }

    /// <summary>The problem as that of the whole list, with so many items before the part.</summary>
    public static ShopProblem After(this ShopProblem problem, int first) => problem with
    {
        Detail = problem.Detail is { } detail ? Shift(detail, first) : null,
        Errors = problem.Errors.ToDictionary(
            error => Shift(error.Key, first),
            IReadOnlyList<string> (error) => [.. error.Value.Select(text => Shift(text, first))]),
    };

    /// <summary>
    /// Whether the chunk certainly changed a product: the response does not contain this, but the version of a changed
    /// item is greater than the version that was sent.
    /// </summary>
    public static bool HasChanged(this ChunkLine line, IReadOnlyList<ProductItem> part) =>
        line.Items is { } saved
        && saved.Zip(part.Skip(line.First)).Any(pair => pair.First.Version > pair.Second.Version);

    private static async Task<bool> MoveNextAsync(IAsyncEnumerator<ChunkLine> lines, int first)
    {
        try
        {
            return await lines.MoveNextAsync();
        }
        catch (ShopProblemException refused) when (first > 0)
        {
            throw new ShopProblemException(refused.Problem.After(first), refused.RetryAfter);
        }
    }

    private static string Shift(string text, int first) => Item().Replace(
        text,
        match => string.Create(
            CultureInfo.InvariantCulture,
            $"{match.Groups[1]}[{first + int.Parse(match.Groups[2].ValueSpan, CultureInfo.InvariantCulture)}]"));

    // At the start of a path, and in the texts of the shop that name another item.
    [GeneratedRegex(@"(^|^Item |occurs at )\[([0-9]{1,6})\]")]
    private static partial Regex Item();
}
