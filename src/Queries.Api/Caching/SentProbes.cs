using System.Globalization;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// The probes that this process sent and has not received, each with the watermark that its arrival proves. The fence
/// locks it.
/// </summary>
internal sealed class SentProbes
{
    private readonly string id = Guid.NewGuid().ToString("N");
    private readonly Queue<(long Number, long Watermark)> missing = new();
    private long sent;

    public int Missing => missing.Count;

    /// <summary>The name of the next probe.</summary>
    public string Next(long watermark)
    {
        missing.Enqueue((++sent, watermark));
        return string.Create(CultureInfo.InvariantCulture, $"{id}:{sent}");
    }

    /// <summary>The probes that were sent before prove nothing from now on.</summary>
    public void Clear() => missing.Clear();

    /// <summary>The watermark of a probe; null if it is of another process, repeated or cleared.</summary>
    public long? Receive(string name)
    {
        if (!name.StartsWith(id, StringComparison.Ordinal)) return null;
        if (!long.TryParse(name.AsSpan(id.Length + 1), CultureInfo.InvariantCulture, out var number)) return null;
        long? proved = null;
        while (missing.TryPeek(out var first) && first.Number <= number)
        {
            missing.Dequeue();
            if (first.Number == number) proved = first.Watermark;
        }

        return proved;
    }
}
