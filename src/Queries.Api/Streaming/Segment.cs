using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// The living documents of <see cref="ReadTables.SegmentSize"/> consecutive ids at one version, as they are sent, and
/// where each of them ends.
/// </summary>
internal sealed class Segment(int number, long version, byte[] bytes, int[] ends)
{
    // The objects themselves and their places in lists.
    private const int Overhead = 200;

    public int Number => number;

    public long Version => version;

    public int Count => ends.Length;

    public ReadOnlyMemory<byte> Bytes => bytes;

    public long Size { get; } = Overhead + bytes.Length + (sizeof(int) * ends.Length);

    /// <summary>How many shelves and streams have it; the budget's own.</summary>
    public int Holders { get; set; }

    public ReadOnlyMemory<byte> First(int documents) => bytes.AsMemory(0, documents == 0 ? 0 : ends[documents - 1]);
}
