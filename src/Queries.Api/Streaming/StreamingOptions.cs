using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>Section <c>Streaming</c>.</summary>
internal sealed class StreamingOptions
{
    public const string Section = "Streaming";

    /// <summary>Most streams at a time; one more is told to come back later.</summary>
    [Range(1, 10_000)]
    public int Concurrent { get; set; } = 64;

    /// <summary>Most connections for all streams together; each needs one only while it reads a chunk.</summary>
    [Range(1, 1000)]
    public int Connections { get; set; } = 8;

    /// <summary>Most documents of one stream, whatever its <c>limit</c> says.</summary>
    [Range(1, int.MaxValue)]
    public int MaxDocuments { get; set; } = 10_000_000;

    /// <summary>About how much is read, held and flushed at a time.</summary>
    [Range(1024, 16 * 1024 * 1024)]
    public int ChunkBytes { get; set; } = 256 * 1024;

    /// <summary>Memory for whole collections as they are sent; 0 keeps none.</summary>
    [Range(0, 65_536)]
    public int SegmentMegabytes { get; set; } = 64;
}

[OptionsValidator]
internal sealed partial class StreamingOptionsValidator : IValidateOptions<StreamingOptions>;
