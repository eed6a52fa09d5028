using System.Buffers;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>One way to send a stream of documents; each stream has a writer of its own.</summary>
internal interface IDocumentWriter
{
    /// <summary>What stands behind every document in the bytes that are given to <see cref="Write"/>.</summary>
    byte Separator { get; }

    /// <summary>How kept documents are sent instead; the outcome is the same.</summary>
    SegmentForm Kept { get; }

    void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output);

    void End(IBufferWriter<byte> output);
}

/// <summary>What a stream can be sent as.</summary>
internal static class StreamFormat
{
    public const string NdJson = "application/x-ndjson";
    public const string MessagePack = "application/x-msgpack";

    public static string Offers => $"{AcceptedMedia.Json}, {NdJson}, {MessagePack}";

    /// <summary>The media type the client prefers; null if it accepts none of them.</summary>
    public static string? Choose(HttpRequest request) =>
        AcceptedMedia.Choose(request, [AcceptedMedia.Json, NdJson, MessagePack]);

    public static bool AcceptsNdJson(HttpRequest request) => AcceptedMedia.Choose(request, [NdJson]) is not null;

    public static IDocumentWriter WriterOf(string mediaType) => mediaType switch
    {
        NdJson => new NdJsonWriter(),
        MessagePack => new MessagePackTranscoder(),
        _ => new JsonArrayWriter(),
    };
}
