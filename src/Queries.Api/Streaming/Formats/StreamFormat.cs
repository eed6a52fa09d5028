using ApexShop.Json;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Streaming.Formats;

/// <summary>The formats of streams and exports.</summary>
/// <param name="MediaType">The format's name in Accept and Content-Type.</param>
/// <param name="Extension">The extension of a file in this format.</param>
/// <param name="NewWriter">Creates a writer for the documents of one stream, as they are read.</param>
/// <param name="Segments">How cached segments are sent; the bytes are the same.</param>
internal sealed record StreamFormat(
    string MediaType, string Extension, Func<IDocumentWriter> NewWriter, SegmentFormat Segments)
{
    public static StreamFormat JsonArray { get; } = new(
        AcceptedMediaTypes.Json,
        "json",
        () => new JsonArrayWriter(),
        new(IsMessagePack: false, Open: "[", Separator: (byte)',', Close: "]", Empty: "[]"));

    public static StreamFormat NdJson { get; } = new(
        MediaTypes.NdJson,
        "ndjson",
        () => new NdJsonWriter(),
        new(IsMessagePack: false, Open: "", Separator: SegmentFormat.LineBreak, Close: "\n", Empty: ""));

    public static StreamFormat MessagePack { get; } = new(
        "application/x-msgpack",
        "msgpack",
        () => new MessagePackTranscoder(),
        new(IsMessagePack: true, Open: "", Separator: SegmentFormat.LineBreak, Close: "", Empty: ""));

    /// <summary>In the order of preference.</summary>
    public static IReadOnlyList<StreamFormat> All { get; } = [JsonArray, NdJson, MessagePack];

    private static readonly string[] mediaTypes = [.. All.Select(format => format.MediaType)];

    public static string Offers { get; } = string.Join(", ", mediaTypes);

    /// <summary>The format that the client prefers; null if it accepts none.</summary>
    public static StreamFormat? Choose(HttpRequest request) =>
        AcceptedMediaTypes.Choose(request, mediaTypes) is { } mediaType
            ? All.First(format => format.MediaType == mediaType)
            : null;

    public bool IsAcceptedBy(HttpRequest request) => AcceptedMediaTypes.Choose(request, [MediaType]) is not null;
}
