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

    /// <summary>Most connections for those streams whose cost depends on what they are asked for.</summary>
    [Range(1, 1000)]
    public int SearchConnections { get; set; } = 4;

    /// <summary>Most documents of one stream, whatever its <c>limit</c> says.</summary>
    [Range(1, int.MaxValue)]
    public int MaxDocuments { get; set; } = 10_000_000;

    /// <summary>Most documents of one export; the next one goes on behind them.</summary>
    [Range(1, int.MaxValue)]
    public int MaxExported { get; set; } = 100_000;

    /// <summary>Most exports of a caller in <see cref="ExportSeconds"/>.</summary>
    [Range(1, 1_000_000)]
    public int Exports { get; set; } = 5;

    [Range(1, 86_400)]
    public int ExportSeconds { get; set; } = 60;

    /// <summary>Whoever takes less than this, for as long as <see cref="StallSeconds"/> and a chunk, is cut off.</summary>
    [Range(1, 1_000_000_000)]
    public int SlowestBytesPerSecond { get; set; } = 16 * 1024;

    [Range(2, 3600)]
    public int StallSeconds { get; set; } = 5;

    /// <summary>About how much is read, held and flushed at a time.</summary>
    [Range(1024, 16 * 1024 * 1024)]
    public int ChunkBytes { get; set; } = 256 * 1024;

    /// <summary>Memory for whole collections as they are sent; 0 keeps none.</summary>
    [Range(0, 65_536)]
    public int SegmentMegabytes { get; set; } = 64;
}

[OptionsValidator]
internal sealed partial class StreamingOptionsValidator : IValidateOptions<StreamingOptions>;
