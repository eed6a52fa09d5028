using ApexShop.Commands.Api.Idempotency;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>A limit by name, and what a caller who goes beyond it is told.</summary>
internal sealed record LimitLine(string Name, long Value, string Unit, string Beyond);

/// <summary>Every limit in one table: what GET /limits answers and docs/limits.md repeats.</summary>
internal sealed class LimitTable(IOptions<LimitOptions> options)
{
    private const string Invalid = "400 request.invalid";
    private const string BodyTooLarge = "413 body.too_large";
    private const string TooMany = "429 rate.exceeded";

    public IReadOnlyList<LimitLine> Lines { get; } =
        [.. OfRequests(options.Value), .. OfRates(options.Value), .. OfBodies()];

    private static IEnumerable<LimitLine> OfRequests(LimitOptions limits) =>
    [
        new("body", limits.BodyBytes, "bytes", BodyTooLarge),
        new("streamedBody", LimitOptions.StreamBytes, "bytes", BodyTooLarge),
        new("bulkItems", limits.BulkItems, "items", "413 bulk.too_many"),
        new("bulkItemBytes", limits.BulkItemBytes, "bytes", "413 bulk.item_too_large"),
        new("silence", limits.SilenceSeconds, "seconds without a byte of a streamed body", "408 bulk.silent"),
        new("jsonDepth", Limit.JsonDepth, "levels", "400 request.malformed"),
        new("requestLine", Limit.RequestLineBytes, "bytes", "414, without a body"),
        new("headers", Limit.HeaderCount, "headers", "431, without a body"),
        new("headerBytes", Limit.HeaderBytes, "bytes", "431, without a body"),
        new("idempotencyKey", IdempotencyHeader.MaxLength, "characters", "400 idempotency.key_invalid"),
        new("requestTime", (long)Math.Ceiling(limits.RequestSeconds), "seconds", "503 request.timeout"),
        new("longRequestTime", (long)Math.Ceiling(limits.LongRequestSeconds), "seconds", "503 request.timeout"),
    ];

    private static IEnumerable<LimitLine> OfRates(LimitOptions limits) =>
    [
        new("keyRequests", limits.KeyRate.Requests, $"requests in {limits.KeyRate.Seconds} s", TooMany),
        new("keyBurst", limits.KeyRate.Burst, "requests at once", TooMany),
        new("anonymousRequests", limits.AnonymousRate.Requests, $"requests in {limits.AnonymousRate.Seconds} s", TooMany),
        new("anonymousBurst", limits.AnonymousRate.Burst, "requests at once", TooMany),
    ];

    private static IEnumerable<LimitLine> OfBodies() =>
    [
        new("name", Limit.Name, "characters", Invalid),
        new("description", Limit.Description, "characters", Invalid),
        new("comment", Limit.Comment, "characters", Invalid),
        new("email", Limit.Email, "characters", Invalid),
        new("firstName, lastName", Limit.PersonName, "characters", Invalid),
        new("phoneNumber", Limit.PhoneNumber, "characters", Invalid),
        new("password, at least", Limit.PasswordAtLeast, "characters", Invalid),
        new("password", Limit.Password, "characters", Invalid),
        new("shippingAddress", Limit.ShippingAddress, "characters", Invalid),
        new("trackingNumber", Limit.TrackingNumber, "characters", Invalid),
        new("orderItems", Limit.OrderItems, "items", Invalid),
    ];
}
