using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Queries.Api.Requests;

/// <summary>Content negotiation by the Accept header (RFC 9110, section 12.5.1).</summary>
internal static class AcceptedMediaTypes
{
    public const string Json = "application/json";

    // Some clients send invalid ranges beside the valid ones. The parser that skips the invalid ones takes a time that
    // grows with the square of the header's length.
    private const int LongestInvalid = 256;

    // Nearly every client sends one of these, and they need no parsing. An empty header has no preference.
    public static bool AcceptsJson(HttpRequest request) =>
        request.Headers.Accept is [] or [""] or ["*/*"] or [Json] || Choose(request, [Json]) is not null;

    /// <summary>The offer with the highest quality, the earlier one among equals; null if none is acceptable.</summary>
    public static string? Choose(HttpRequest request, ReadOnlySpan<string> offers)
    {
        var header = request.Headers.Accept;
        if (StringValues.IsNullOrEmpty(header)) return offers[0];
        if (!TryParse(header, out var ranges)) return null;

        string? best = null;
        var bestQuality = 0.0;
        foreach (var offer in offers)
        {
            var quality = Quality(new MediaTypeHeaderValue(offer), ranges);
            if (quality > bestQuality) (best, bestQuality) = (offer, quality);
        }

        return best;
    }

    private static bool TryParse(StringValues header, [NotNullWhen(true)] out IList<MediaTypeHeaderValue>? ranges) =>
        MediaTypeHeaderValue.TryParseStrictList(header, out ranges)
        || (header.Sum(value => value?.Length) <= LongestInvalid
            && MediaTypeHeaderValue.TryParseList(header, out ranges));

    // The most specific range decides: "application/json;q=0, */*" excludes JSON although the wildcard includes it.
    private static double Quality(MediaTypeHeaderValue offer, IList<MediaTypeHeaderValue> ranges)
    {
        var (quality, bestRank) = (0.0, -1);
        foreach (var range in ranges)
        {
            var rank = range.MatchesAllTypes ? 0 : range.MatchesAllSubTypes ? 1 : 2;
            if (rank <= bestRank || !Matches(range, offer)) continue;
            (quality, bestRank) = (range.Quality ?? 1, rank);
        }

        return quality;
    }

    private static bool Matches(MediaTypeHeaderValue range, MediaTypeHeaderValue offer) =>
        range.MatchesAllTypes
        || (range.Type.Equals(offer.Type, StringComparison.OrdinalIgnoreCase)
            && (range.MatchesAllSubTypes || range.SubType.Equals(offer.SubType, StringComparison.OrdinalIgnoreCase)));
}
