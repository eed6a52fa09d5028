using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Caching;

/// <summary>The response of a key that was received last; only its ETag if it may not be served.</summary>
internal sealed class MemoryEntry<TKey>(TKey key, string etag, CachedResponse? response, FenceMark mark, int[] slots)
{
    // What an entry takes besides its body: entry, response, ETag text, headers, list node, dictionary node.
    private const int Overhead = 500;

    public TKey Key => key;

    public string ETag => etag;

    public CachedResponse? Response => response;

    public FenceMark Mark => mark;

    public int[] Slots => slots;

    /// <summary>When this content was received first, as a timestamp of the <see cref="TimeProvider"/>.</summary>
    public required long Received { get; init; }

    /// <summary>When the content before it was received first.</summary>
    public required long OtherReceived { get; init; }

    public bool IsUsed { get; set; }

    public LinkedListNode<MemoryEntry<TKey>>? Node { get; set; }

    // Twice the body where compressed forms of it may be kept too.
    public long Size { get; } = Overhead
        + (response is null ? 0 : BytesOf(response))
        + BytesOf(key as string) + sizeof(int) * slots.Length;

    /// <summary>When the last content with another ETag was received first.</summary>
    public long OtherThan(string given) => given == etag ? OtherReceived : Received;

    private static int BytesOf(CachedResponse response) =>
        (response.Body.Length < ContentCoding.LeastBytes ? 1 : 2) * response.Body.Length
        + BytesOf(response.Link) + BytesOf(response.Shared?.SurrogateKey);

    private static int BytesOf(string? text) => sizeof(char) * (text?.Length ?? 0);
}
