using ApexShop.Resources;

namespace ApexShop.Errors;

/// <summary>An error code, the status of the response, and when it is sent.</summary>
public sealed record ErrorCode(string Code, int Status, string When);

/// <summary>Every error code. A published code is never renamed and never gets another meaning.</summary>
public static class ErrorCatalogue
{
    public static IReadOnlyList<ErrorCode> Both { get; } =
    [
        new(
            "access.key_required", 401,
            "The request has no Authorization: Bearer header with a valid API key or customer token."),
        new(
            "access.scope_missing", 403,
            "The API key does not have a scope that this request requires; for events missingScopes contains them."),
        new(
            "access.own_only", 403,
            "A customer's token permits only reading the customer's orders, and creating their orders and reviews."),
        new("path.unknown", 404, "The path does not exist. An id that is not an integer gives the same response."),
        new("method.not_allowed", 405, "The path does not support this method; see the Allow header."),
        new("request.malformed", 400, "The body is missing or is not JSON; detail contains line and byte."),
        new(
            "query.invalid", 400,
            "A query parameter is unknown, or, in queries, a parameter is not valid; errors contains the reasons."),
        new("rate.exceeded", 429, "The caller has exceeded its request rate. Retry-After."),
        new("internal", 500, "The server failed. The log contains the error under the trace id."),
        new(
            "request.timeout", 503,
            "The request took too long and was aborted; it was applied completely or not at all, or in chunks as "
            + "docs/limits.md says. Retry-After."),
        new("database.unavailable", 503, "The database is unavailable. Retry-After."),
        new("streams.busy", 503, "The limit of streams, long responses or checksums is reached. Retry-After."),
        new(
            "process.stopping", 503,
            "The last line of a stream that the process could not finish before it stopped; continue with after."),
    ];

    public static IReadOnlyList<ErrorCode> Commands { get; } =
    [
        new(
            "access.customer_inactive", 403,
            "The customer was deactivated or deleted after the login; own orders can be read until the token expires."),
        new("request.invalid", 400, "The body or a parameter is not valid; errors contains the reasons by JSON path."),
        new("request.too_slow", 408, "The body, or the next part of a streamed list, did not arrive in time."),
        new("body.too_large", 413, "The body is larger than the endpoint accepts."),
        new("content_type.unsupported", 415, "The endpoint does not accept this content type."),
        new("bulk.too_many", 413, "A list has too many items; limit contains the maximum."),
        new("bulk.item_too_large", 413, "One item of a list is too large."),
        new("idempotency.key_invalid", 400, "The Idempotency-Key is empty, too long, sent twice or not visible ASCII."),
        new("idempotency.key_reused", 422, "The Idempotency-Key was used for another request."),
        new("idempotency.in_progress", 409, "The first request with this Idempotency-Key still runs. Retry-After."),
        new(
            "log.replaced", 410,
            "The event log was restored or failed over, and does not contain all events up to this position."),
        new(
            "events.removed", 410,
            "Old events after this position were removed from the log; incomplete=true returns the later ones."),
        new("version.mismatch", 412, "If-Match is not the current version; version contains it."),
        new("version.overtaken", 409, "A concurrent request changed the same data; a retry may succeed."),
        new(
            "lock.timeout", 503,
            "The command waited too long for data that another command has locked. Nothing was changed, except by "
            + "the finished chunks of a command that works in chunks. Retry-After."),
        .. Resource.All.Select(NotFound),
        new("category.has_products", 409, "The category has products; blockedBy contains some of them."),
        new("product.category_unknown", 409, "The product's category does not exist."),
        new("product.sku_taken", 409, "Another product has this SKU."),
        new("product.slug_taken", 409, "Another product has this slug."),
        new("product.sold", 409, "Orders contain the product; blockedBy contains some of them."),
        new("product.unknown", 409, "The order contains a product that does not exist."),
        new("product.inactive", 409, "The order contains a product that is not active."),
        new("product.stock_below_zero", 409, "The delta would make the stock of a product negative."),
        new("product.stock_too_large", 409, "The delta would make the stock of a product larger than the maximum."),
        new("stock.version_required", 428, "A new stock needs the version; the response contains the current values."),
        new("product.sold_out", 409, "The stock of a product is smaller than the quantity in the order."),
        new("order.user_unknown", 409, "The order's user does not exist."),
        new("order.user_inactive", 409, "The order's user is not active."),
        new("order.status_refused", 409, "The order cannot change from its status to the requested one."),
        new("order.closed", 409, "Address and tracking number of a Delivered or Cancelled order cannot be changed."),
        new("order.total_too_large", 409, "The order's total is larger than the maximum."),
        new("review.exists", 409, "The user has reviewed the product already."),
        new("review.product_unknown", 409, "The review's product does not exist."),
        new("review.user_unknown", 409, "The review's user does not exist."),
        new("session.refused", 401, "There is no active user with this e-mail address and password."),
        new("webhook.not_found", 404, "There is no webhook with this id."),
        new("webhook.url_taken", 409, "Another webhook has this address."),
        new("webhook.too_many", 409, "The shop has as many webhooks as it may have."),
        new(
            "webhook.other_key", 409,
            "The webhook was made with another key, and sends nothing before it has a new secret."),
        new("webhook.off", 503, "There are no webhooks, because Webhooks:Key is not set."),
        new("session.off", 503, "Customers cannot log in, because Sessions:Key is not set."),
        new("user.email_taken", 409, "Another user has this email address."),
        new("user.has_orders", 409, "The user has orders; blockedBy contains some of them."),
        new(
            "user.has_open_orders", 409,
            "The user has orders that are not delivered or cancelled yet; blockedBy contains some of them."),
        new("user.erased", 409, "The user is erased and can neither be changed nor write a new review."),
        new(
            "events.beyond_head", 409,
            "Never sent with this status, but in a record event: error of the live feed, whose status is 200. The "
            + "position is beyond the last event of the log; after contains the position of that event."),
        new(
            "projector.unavailable", 503,
            "No Projector is available; only a Projector can change the documents. Retry-After."),
        new("data.conflict", 409, "The change violates a constraint that has no own code."),
    ];

    /// <summary>The codes of the Projector, which Commands.Api forwards.</summary>
    public static IReadOnlyList<ErrorCode> Projector { get; } =
    [
        new(
            "log.unavailable", 503,
            "The Projector cannot read the event log, the log ends before the documents, or restored documents are not "
            + "compared with it. Retry-After."),
        new("audit.running", 503, "Another audit is running. Retry-After."),
        new("rebuild.running", 409, "A rebuild is already running."),
        new("rebuild.other_epoch", 409, "The documents were exchanged since, or the log is another one."),
        new("rebuild.no_previous", 409, "There are no previous documents to roll back to."),
        new("rebuild.previous_outdated", 409, "The previous documents have an earlier version of the schema."),
        new("rebuild.tables_busy", 409, "A backup or another long transaction locks the documents; try again later."),
        new("parked.not_found", 404, "This aggregate has no parked events."),
        new("dead_letter.not_found", 404, "There is no dead letter with this id."),
    ];

    public static IReadOnlyList<ErrorCode> Queries { get; } =
    [
        new("page.too_deep", 400, "Too many documents are before the numbered page; Link has the list's cursor."),
        new("search.too_expensive", 400, "The search exceeded its time limit; use other filters or another sort."),
        new("search.busy", 503, "The connections for searches of this kind are all in use. Retry-After."),
        new("document.not_found", 404, "There is no document with this id."),
        new("accept.unmet", 406, "The endpoint supports none of the media types in Accept."),
        new("consistency.token_malformed", 400, "The Consistency-Token is not valid."),
        new("cursor.expired", 410, "The documents were rebuilt since; start again without a cursor."),
        new(
            "consistency.not_reached", 503,
            "The documents do not contain the changes of the Consistency-Token yet. Retry-After."),
        new(
            "purges.unavailable", 503,
            "The process receives no announcements of changes, so it cannot send purges; another process may. "
                + "Retry-After."),
    ];

    private static ErrorCode NotFound(Resource resource) =>
        new($"{resource.Singular}.not_found", 404, $"There is no {resource.Singular} with this id.");
}
