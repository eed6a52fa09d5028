using ApexShop.Queries.Api.Reading;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>Makes segments out of documents as they are stored, with a line break before each.</summary>
internal static class SegmentEncoder
{
    /// <summary>Keeps the JSON itself, without a copy.</summary>
    public static Segment Lines(SegmentVersion of, byte[] lines)
    {
        var ends = new List<int>(of.Count);
        for (var end = 0; end < lines.Length; ends.Add(end)) end = EndOf(lines, end);
        return new Segment(of.Number, of.Version, lines, [.. ends]);
    }

    public static Segment Packed(SegmentVersion of, byte[] lines)
    {
        using var packed = new PooledBuffer(lines.Length);
        var (ends, transcoder) = (new List<int>(of.Count), new MessagePackTranscoder());
        for (var start = 0; start < lines.Length; ends.Add(packed.Length))
        {
            var end = EndOf(lines, start);
            transcoder.Write(lines.AsSpan((start + 1)..end), packed);
            start = end;
        }

        return new Segment(of.Number, of.Version, packed.Written.ToArray(), [.. ends]);
    }

    private static int EndOf(byte[] lines, int start)
    {
        var length = lines.AsSpan(start + 1).IndexOf(SegmentForm.Break);
        return length < 0 ? lines.Length : start + 1 + length;
    }
}
