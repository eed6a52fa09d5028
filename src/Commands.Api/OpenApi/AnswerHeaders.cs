using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Consistency;
using ApexShop.Events;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The headers of answers, each described once.</summary>
internal static class AnswerHeaders
{
    public const string ETag = "ETag";
    public const string Location = "Location";
    public const string StatusLocation = "StatusLocation";
    public const string ConsistencyToken = Consistency.ConsistencyToken.Header;
    public const string Replayed = IdempotencyHeader.Replayed;
    public const string RetryAfter = "Retry-After";
    public const string LogHead = LogEntry.HeadHeader;
    public const string Challenge = "WWW-Authenticate";
    public const string Rate = "RateLimit";
    public const string RatePolicy = "RateLimit-Policy";

    public static IReadOnlyDictionary<string, OpenApiHeader> All { get; } = new Dictionary<string, OpenApiHeader>
    {
        [ETag] = Text("The version, in quotes: what If-Match takes.", "\"1\"", isAlways: true),
        [Location] = Text("Where the queries will show what was created.", "http://localhost:5200/products/17", isAlways: true),
        [StatusLocation] = Text("Where to ask how far it is.", "/admin/projections/rebuild", isAlways: true),
        [ConsistencyToken] = Text(
            "Sent with a query, makes it wait until the documents know this change.",
            new ConsistencyToken([new("products", 17, 1)]).ToString(),
            isAlways: true),
        [Replayed] = Text("`true` when this is the kept answer of an earlier request with the same Idempotency-Key.", "true", isAlways: false),
        [RetryAfter] = new()
        {
            Description = "Seconds after which to ask again.",
            Required = true,
            Schema = new OpenApiSchema { Type = JsonSchemaType.Integer, Minimum = "0" },
            Example = 2,
        },
        [LogHead] = Text("Position of the last event there was when this was asked.", "4711", isAlways: true),
        [Rate] = Text("What is left: `r` requests, and all are back after `t` seconds.", "\"key\";r=9999;t=1", isAlways: true),
        [RatePolicy] = Text("What there is: `q` requests in `w` seconds, by key or, without a known one, by address.", "\"key\";q=10000;w=2", isAlways: true),
        [Challenge] = Text("How to say who is asking.", "Bearer", isAlways: true),
    };

    private static OpenApiHeader Text(string description, string example, bool isAlways) => new()
    {
        Description = description,
        Required = isAlways,
        Schema = new OpenApiSchema { Type = JsonSchemaType.String },
        Example = example,
    };
}
