using System.Globalization;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Queries.Api.Compression;

/// <summary>How the bytes of an answer can be coded for a client that asks for it (RFC 9110, section 8.4).</summary>
/// <param name="Name">As Accept-Encoding and Content-Encoding call it.</param>
/// <param name="Compressor">What codes the bytes; null for the plain ones.</param>
internal sealed record ContentCoding(string Name, Compressor? Compressor)
{
    /// <summary>Below this an answer fits in one packet anyway: a shorter one would arrive no sooner.</summary>
    public const int LeastBytes = 1400;

    public static ContentCoding Plain { get; } = new("identity", null);

    public static ContentCoding Brotli { get; } = new("br", new BrotliCompressor());

    public static ContentCoding Gzip { get; } = new("gzip", new GzipCompressor());

    /// <summary>What the client prefers; among equals the one with the fewest bytes.</summary>
    public static ContentCoding Choose(StringValues accepted)
    {
        if (accepted.Count == 0) return Plain;
        var (best, bestQuality) = (Plain, QualityOf(Plain.Name, accepted) ?? 0);
        var others = QualityOf("*", accepted) ?? 0;
        foreach (var coding in (ReadOnlySpan<ContentCoding>)[Brotli, Gzip])
        {
            var quality = QualityOf(coding.Name, accepted) ?? others;
            if (quality > 0 && (quality > bestQuality || (quality == bestQuality && best == Plain))) (best, bestQuality) = (coding, quality);
        }

        return best;
    }

    /// <summary>The tag of a coded answer: its bytes are others, so a strong tag is another one too.</summary>
    public string TagOf(string etag) => Compressor is null ? etag : $"{etag.AsSpan(0, etag.Length - 1)}-{Name}\"";

    private static double? QualityOf(string name, StringValues accepted)
    {
        foreach (var header in accepted)
        {
            foreach (var range in header.AsSpan().Split(','))
            {
                var part = header.AsSpan()[range];
                var end = part.IndexOf(';');
                var token = (end < 0 ? part : part[..end]).Trim();
                if (token.Equals(name, StringComparison.OrdinalIgnoreCase)) return end < 0 ? 1 : Weight(part[(end + 1)..].Trim());
            }
        }

        return null;
    }

    // A weight that cannot be read is no wish.
    private static double Weight(ReadOnlySpan<char> parameter) =>
        parameter.StartsWith("q=", StringComparison.OrdinalIgnoreCase)
        && double.TryParse(parameter[2..], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var quality) ? quality : 0;
}
