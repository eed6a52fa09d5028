using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>Section <c>Streaming</c>.</summary>
internal sealed class StreamingOptions
{
    public const string Section = "Streaming";

    /// <summary>Most streams and exports at a time; others are answered with 503.</summary>
    [Range(1, 10_000)]
    public int Concurrent { get; set; } = 64;

    /// <summary>Most streams and exports of one caller at a time: an API key, or without one an address.</summary>
    [Range(1, 10_000)]
    public int ConcurrentOfCaller { get; set; } = 32;

    /// <summary>
    /// Most streams and exports of all callers without a key at a time; the others are kept for callers with one.
    /// </summary>
    [Range(1, 10_000)]
    public int ConcurrentWithoutKey { get; set; } = 48;

    /// <summary>
    /// Most connections of all streams together that are neither searches nor walks; a stream needs one only while it
    /// reads a chunk. As many again are for what precedes the first byte of a stream.
    /// </summary>
    [Range(1, 1000)]
    public int Connections { get; set; } = 8;

    /// <summary>Most connections of one resource for streams that are searches, and as many again for walks.</summary>
    [Range(1, 1000)]
    public int SearchConnections { get; set; } = 2;

    /// <summary>Most documents of one stream, whatever its <c>limit</c> is.</summary>
    [Range(1, int.MaxValue)]
    public int MaxDocuments { get; set; } = 10_000_000;

    /// <summary>Most documents of one export; the next export continues after them.</summary>
    [Range(1, int.MaxValue)]
    public int MaxExported { get; set; } = 100_000;

    /// <summary>Most exports of a caller in <see cref="ExportSeconds"/>.</summary>
    [Range(1, 1_000_000)]
    public int Exports { get; set; } = 5;

    /// <summary>The period in which <see cref="Exports"/> are counted.</summary>
    [Range(1, 86_400)]
    public int ExportSeconds { get; set; } = 60;

    /// <summary>A client that receives less than this for <see cref="StallSeconds"/> is disconnected.</summary>
    [Range(1, 1_000_000_000)]
    public int SlowestBytesPerSecond { get; set; } = 16 * 1024;

    /// <summary>How long a client may receive less than <see cref="SlowestBytesPerSecond"/>.</summary>
    [Range(2, 3600)]
    public int StallSeconds { get; set; } = 5;

    /// <summary>The size of the chunks in which rows are read and sent.</summary>
    [Range(1024, 16 * 1024 * 1024)]
    public int ChunkBytes { get; set; } = 256 * 1024;

    /// <summary>Memory for the segments of whole collections; 0 switches it off.</summary>
    [Range(0, 65_536)]
    public int SegmentMegabytes { get; set; } = 64;
}

[OptionsValidator]
internal sealed partial class StreamingOptionsValidator : IValidateOptions<StreamingOptions>;
