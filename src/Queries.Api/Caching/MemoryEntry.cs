using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Caching;

/// <summary>A response in memory.</summary>
internal sealed class MemoryEntry<TKey>(TKey key, CachedResponse response, FenceMark mark, int[] slots, long expires)
{
    // What an entry takes besides its body: entry, response, ETag text, headers, list node, dictionary node.
    private const int Overhead = 500;

    public TKey Key => key;

    public CachedResponse Response => response;

    public FenceMark Mark => mark;

    public int[] Slots => slots;

    /// <summary>A timestamp of the <see cref="TimeProvider"/>.</summary>
    public long Expires => expires;

    public bool IsUsed { get; set; }

    public LinkedListNode<MemoryEntry<TKey>>? Node { get; set; }

    // Twice the body where compressed forms of it may be kept too.
    public long Size { get; } = Overhead
        + (response.Body.Length < ContentCoding.LeastBytes ? 1 : 2) * response.Body.Length
        + BytesOf(key as string) + BytesOf(response.Link) + BytesOf(response.Shared?.SurrogateKey)
        + sizeof(int) * slots.Length;

    private static int BytesOf(string? text) => sizeof(char) * (text?.Length ?? 0);
}
