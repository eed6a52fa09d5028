using System.Globalization;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Queries.Api.Compression;

/// <summary>A content coding of responses (RFC 9110, section 8.4).</summary>
/// <param name="Name">The name in Accept-Encoding and Content-Encoding.</param>
/// <param name="Compressor">Null for the identity.</param>
/// <param name="Parts">The same for the parts of a body; null for the identity.</param>
internal sealed record ContentCoding(string Name, Compressor? Compressor, PartCompressor? Parts)
{
    /// <summary>A shorter response fits into one packet, and would arrive no sooner if it was compressed.</summary>
    public const int LeastBytes = 1400;

    public static ContentCoding Identity { get; } = new("identity", null, null);

    public static ContentCoding Brotli { get; } = new("br", new BrotliCompressor(), new BrotliParts());

    public static ContentCoding Gzip { get; } = new("gzip", new GzipCompressor(), new GzipParts());

    public static IReadOnlyList<ContentCoding> Compressed { get; } = [Brotli, Gzip];

    /// <summary>The coding that the client prefers; among equals the one with the fewest bytes.</summary>
    public static ContentCoding Choose(StringValues accepted)
    {
        if (accepted.Count == 0) return Identity;
        var (best, bestQuality) = (Identity, QualityOf(Identity.Name, accepted) ?? 0);
        var others = QualityOf("*", accepted) ?? 0;
        foreach (var coding in Compressed)
        {
            var quality = QualityOf(coding.Name, accepted) ?? others;
            var isBetter = quality > bestQuality || (quality == bestQuality && best == Identity);
            if (quality > 0 && isBetter) (best, bestQuality) = (coding, quality);
        }

        return best;
    }

    /// <summary>The strong ETag of the bytes in this coding.</summary>
    public string ETagOf(string etag) => Compressor is null ? etag : $"{etag.AsSpan(0, etag.Length - 1)}-{Name}\"";

    private static double? QualityOf(string name, StringValues accepted)
    {
        foreach (var header in accepted)
        {
            foreach (var range in header.AsSpan().Split(','))
            {
                var part = header.AsSpan()[range];
                var end = part.IndexOf(';');
                var token = (end < 0 ? part : part[..end]).Trim();
                if (!token.Equals(name, StringComparison.OrdinalIgnoreCase)) continue;
                return end < 0 ? 1 : Weight(part[(end + 1)..].Trim());
            }
        }

        return null;
    }

    // An invalid weight counts as 0.
    private static double Weight(ReadOnlySpan<char> parameter)
    {
        if (!parameter.StartsWith("q=", StringComparison.OrdinalIgnoreCase)) return 0;
        const NumberStyles style = NumberStyles.AllowDecimalPoint;
        return double.TryParse(parameter[2..], style, CultureInfo.InvariantCulture, out var quality) ? quality : 0;
    }
}
