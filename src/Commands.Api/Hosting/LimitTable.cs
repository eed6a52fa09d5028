using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Operations.Checksums;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Limits;
using ApexShop.Requests;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>All limits: the response of GET /limits, and the table in docs/limits.md.</summary>
internal sealed class LimitTable(
    IOptions<LimitOptions> options, IOptions<EventsOptions> events, IOptions<PersistenceOptions> persistence,
    IOptions<OrderOptions> orders)
{
    private const string Invalid = "400 request.invalid";
    private const string BodyTooLarge = "413 body.too_large";

    public IReadOnlyList<LimitLine> Lines { get; } =
    [
        .. OfRequests(options.Value),
        new(
            "lockTime", (long)Math.Ceiling(persistence.Value.LockSeconds),
            "seconds of waiting for a row that another command has locked", "503 lock.timeout"),
        new(
            "readers", events.Value.Readers,
            $"readers of GET /events at a time, without those of at most {ReaderLimit.ShortResponse} events or of "
            + "chosen aggregates",
            "503 streams.busy"),
        new(
            "shortReaders", ReaderLimit.ShortResponses,
            $"responses to one key at a time: of at most {ReaderLimit.ShortResponse} events and not compacted, or of "
            + "chosen aggregates",
            "503 streams.busy"),
        new(
            "compactedReaders", ReaderLimit.CompactedResponses,
            $"compacted responses to one key at a time, of at most {ReaderLimit.ShortResponse} events",
            "503 streams.busy"),
        new(
            "checksums", ChecksumLimit.Executing,
            $"requests for checksums of a key at a time; {ChecksumLimit.Waiting} more wait", "503 streams.busy"),
        new(
            "followers", events.Value.Followers, "followers of GET /events/live at a time, half of them with one key",
            "503 streams.busy"),
        new(
            "customerCommands", CustomerLimit.Executing,
            $"commands of a customer at a time; {CustomerLimit.Waiting} more wait", "429 rate.exceeded"),
        new("aggregates", EventQuery.MaxAggregates, "aggregates of a request for events", Invalid),
        .. LimitLine.OfRate("key", options.Value.KeyRate),
        .. LimitLine.OfRate("anonymous", options.Value.AnonymousRate),
        .. LimitLine.OfRate("sessionEmail", options.Value.SessionEmailRate),
        .. LimitLine.OfRate("sessionAddress", options.Value.SessionAddressRate),
        new(
            "pendingOrders", orders.Value.PendingOfCustomer, "Pending orders with a deadline of a customer",
            "429 rate.exceeded"),
        new("orderQuantity", orders.Value.QuantityOfCustomer, "pieces of a product in an order of a customer", Invalid),
        .. OfBodies(),
    ];

    private static IEnumerable<LimitLine> OfRequests(LimitOptions limits) =>
    [
        new("body", limits.SingleBodyBytes, "bytes", BodyTooLarge),
        new("bulkBody", limits.BodyBytes, "bytes", BodyTooLarge),
        new("streamedBody", LimitOptions.StreamBytes, "bytes", BodyTooLarge),
        new("sessionBody", LimitOptions.SessionBytes, "bytes", BodyTooLarge),
        new("bulkItems", limits.BulkItems, "items", "413 bulk.too_many"),
        new("bulkItemBytes", limits.BulkItemBytes, "bytes", "413 bulk.item_too_large"),
        new("silence", limits.SilenceSeconds, "seconds without a byte of a streamed body", "408 request.too_slow"),
        new("jsonDepth", FixedLimits.JsonDepth, "levels", "400 request.malformed"),
        .. RequestHeadLimits.Lines,
        new("idempotencyKey", IdempotencyHeader.MaxLength, "characters", "400 idempotency.key_invalid"),
        new("requestTime", (long)Math.Ceiling(limits.RequestSeconds), "seconds", "503 request.timeout"),
        new("longRequestTime", (long)Math.Ceiling(limits.LongRequestSeconds), "seconds", "503 request.timeout"),
    ];

    private static IEnumerable<LimitLine> OfBodies() =>
    [
        new("name", FixedLimits.Name, "characters", Invalid),
        new("description", FixedLimits.Description, "characters", Invalid),
        new("sku", FixedLimits.Sku, "characters", Invalid),
        new("slug", Slug.MaxLength, "characters", Invalid),
        new("images", FixedLimits.Images, "images of a product", Invalid),
        new("url of an image", FixedLimits.ImageUrl, "characters", Invalid),
        new("alt of an image", FixedLimits.ImageText, "characters", Invalid),
        new("width, height of an image", FixedLimits.ImageSide, "pixels", Invalid),
        new("comment", FixedLimits.Comment, "characters", Invalid),
        new("email", FixedLimits.Email, "characters", Invalid),
        new("firstName, lastName", FixedLimits.PersonName, "characters", Invalid),
        new("phoneNumber", FixedLimits.PhoneNumber, "characters", Invalid),
        new("password, at least", FixedLimits.PasswordAtLeast, "characters", Invalid),
        new("password", FixedLimits.Password, "characters", Invalid),
        new("shippingAddress", FixedLimits.ShippingAddress, "characters", Invalid),
        new("trackingNumber", FixedLimits.TrackingNumber, "characters", Invalid),
        new("orderItems", FixedLimits.OrderItems, "items", Invalid),
    ];
}
