using System.Text.Json;
using System.Text.Json.Serialization;
using ApexShop.Limits;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>Every limit in one table: the response of GET /limits and the table of docs/limits.md.</summary>
internal sealed class LimitTable(
    IOptions<LimitOptions> limits, IOptions<ReadingOptions> reading, IOptions<StreamingOptions> streaming)
{
    private const string Invalid = "400 query.invalid";

    public IReadOnlyList<LimitLine> Lines { get; } =
    [
        .. RequestHeadLimits.Lines,
        new("parameters", QueryParameters.Most, "query parameters", Invalid),
        new("pageSize", PageRequest.MaxSize, "documents", "as if it were that many"),
        new("ids", ListDocumentsById.Most, "documents of a batch", Invalid),
        new("pageOffset", reading.Value.MaxOffset, "documents skipped before a numbered page", "400 page.too_deep"),
        new("values", ValueKind.MaxSeveral, "values of a filter", Invalid),
        new("q", ValueKind.MaxSearchText, "characters", Invalid),
        new("email", ValueKind.MaxEmailAddress, "characters", Invalid),
        new(
            "streamDocuments", streaming.Value.MaxDocuments, "documents of one stream",
            "a stream without a limit breaks off there"),
        new("exportDocuments", streaming.Value.MaxExported, "documents of one export", "the export ends there"),
        new("exports", streaming.Value.Exports, $"exports in {streaming.Value.ExportSeconds} s", "429 rate.exceeded"),
        new("streams", streaming.Value.Concurrent, "streams at a time, of all callers", "503 streams.busy"),
        new(
            "streamsWithoutKey", streaming.Value.ConcurrentWithoutKey,
            "streams at a time, of all callers without a key", "503 streams.busy"),
        new(
            "streamsOfCaller", streaming.Value.ConcurrentOfCaller, "streams at a time, of one caller",
            "503 streams.busy"),
        new(
            "unsent", reading.Value.UnsentMegabytes * 1024L * 1024,
            "bytes of responses above 65536 bytes that are being sent, half of them to one caller", "503 streams.busy"),
        new(
            "purgeFollowers", PurgeFeed.MostFollowers,
            "followers of GET /cache/purges at a time, half of them with one key", "503 streams.busy"),
        new("requestTime", (long)Math.Ceiling(limits.Value.RequestSeconds), "seconds", "503 request.timeout"),
        .. LimitLine.OfRate("key", limits.Value.KeyRate),
        .. LimitLine.OfRate("anonymous", limits.Value.AnonymousRate),
    ];

    public byte[] ToJson() => JsonSerializer.SerializeToUtf8Bytes(new LimitsBody(Lines), LimitsJson.Default.LimitsBody);
}

internal sealed record LimitsBody(IReadOnlyList<LimitLine> Limits);

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(LimitsBody))]
internal sealed partial class LimitsJson : JsonSerializerContext;
