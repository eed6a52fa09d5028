namespace ApexShop.Errors;

/// <summary>A code that an answer may carry, its status, and when it does.</summary>
public sealed record ErrorCode(string Code, int Status, string When);

/// <summary>Every code of both APIs. What a client may rely on: a code is never renamed and never gets another meaning.</summary>
public static class ErrorCatalogue
{
    public static IReadOnlyList<ErrorCode> Both { get; } =
    [
        new("access.key_required", 401, "There is no Authorization: Bearer with a known API key."),
        new("access.scope_missing", 403, "The API key does not have the scope of this endpoint."),
        new("path.unknown", 404, "Nothing is served at this path; an id that is no integer names none."),
        new("method.not_allowed", 405, "The path does not take this method; Allow names those it takes."),
        new("request.malformed", 400, "The request cannot be read: no body, or no JSON; detail names line and byte."),
        new("rate.exceeded", 429, "The caller has used up its requests. Retry-After."),
        new("internal", 500, "The failure is ours; the trace id finds it in the log."),
        new("request.timeout", 503, "The request took too long and was given up, done wholly or not at all. Retry-After."),
        new("database.unavailable", 503, "The database does not answer. Retry-After."),
        new("streams.busy", 503, "As many streams as allowed are running. Retry-After."),
        new("process.stopping", 503, "The last line of an answer that was not at its end when the process stopped; after tells where to go on."),
    ];

    public static IReadOnlyList<ErrorCode> Commands { get; } =
    [
        new("request.invalid", 400, "The body or the query does not fit: errors tells what, by JSON path."),
        new("request.too_slow", 408, "The body, or the next part of a streamed list, did not arrive in time."),
        new("body.too_large", 413, "The body has more bytes than the endpoint takes."),
        new("content_type.unsupported", 415, "The endpoint does not read this content type."),
        new("bulk.too_many", 413, "A list has more items than it may; limit tells how many."),
        new("bulk.item_too_large", 413, "One item of a list has more bytes than it may."),
        new("idempotency.key_invalid", 400, "Idempotency-Key is empty, too long, sent twice or not visible ASCII."),
        new("idempotency.key_reused", 422, "The Idempotency-Key was used for another request."),
        new("idempotency.in_progress", 409, "The first request with this Idempotency-Key still runs. Retry-After."),
        new("version.mismatch", 412, "If-Match does not name the current version; version tells it."),
        new("version.overtaken", 409, "Another request changed the same at the same moment; trying again may help."),
        new("category.not_found", 404, "There is no category with this id."),
        new("category.has_products", 409, "Products stand in the category; blockedBy names some."),
        new("product.not_found", 404, "There is no product with this id."),
        new("product.category_unknown", 409, "The product's category does not exist."),
        new("product.sold", 409, "Orders have the product; blockedBy names some."),
        new("product.unknown", 409, "The order asks for a product that does not exist."),
        new("product.inactive", 409, "The order asks for a product that is not sold now."),
        new("product.stock_below_zero", 409, "The delta would take the stock of a product below zero."),
        new("product.stock_too_large", 409, "The delta would give a product more stock than it can have."),
        new("product.sold_out", 409, "There is less in stock than the order asks for."),
        new("order.not_found", 404, "There is no order with this id."),
        new("order.user_unknown", 409, "The order's user does not exist."),
        new("order.user_inactive", 409, "The order's user is not active."),
        new("order.status_refused", 409, "The order cannot go from its status to that one."),
        new("order.total_too_large", 409, "The order's total is more than an order can hold."),
        new("review.not_found", 404, "There is no review with this id."),
        new("review.exists", 409, "The user has reviewed the product already."),
        new("review.product_unknown", 409, "The review's product does not exist."),
        new("review.user_unknown", 409, "The review's user does not exist."),
        new("user.not_found", 404, "There is no user with this id."),
        new("user.email_taken", 409, "Another user has this e-mail address."),
        new("user.has_orders", 409, "The user has orders; blockedBy names some."),
        new("projector.unavailable", 503, "No Projector answers, which alone may touch the documents. Retry-After."),
        new("data.conflict", 409, "The change contradicts other data in a way that has no code of its own."),
    ];

    /// <summary>What a Projector says about the documents; Commands.Api hands it on.</summary>
    public static IReadOnlyList<ErrorCode> Projector { get; } =
    [
        new("log.unavailable", 503, "The Projector cannot read the event log. Retry-After."),
        new("audit.running", 503, "Another audit of the documents runs. Retry-After."),
        new("rebuild.running", 409, "A rebuild of the documents runs already."),
        new("rebuild.no_previous", 409, "There are no documents from before a rebuild to go back to."),
        new("rebuild.previous_outdated", 409, "The documents before the rebuild were made by an earlier version of the schema."),
        new("rebuild.tables_busy", 409, "A backup or another long transaction holds the documents; try again later."),
        new("parked.not_found", 404, "No event of this aggregate is parked."),
        new("dead_letter.not_found", 404, "There is no dead letter with this number."),
    ];

    public static IReadOnlyList<ErrorCode> Queries { get; } =
    [
        new("query.invalid", 400, "A query parameter is unknown or does not fit: errors tells which."),
        new("document.not_found", 404, "There is no such document."),
        new("accept.unmet", 406, "The endpoint has none of the forms that Accept asks for."),
        new("consistency.token_malformed", 400, "The Consistency-Token is none that a command gave."),
        new("cursor.expired", 410, "The list was rebuilt since; start again without a cursor."),
        new("consistency.not_reached", 503, "The documents do not have the change of the Consistency-Token yet. Retry-After."),
    ];
}
