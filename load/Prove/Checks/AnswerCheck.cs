using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class AnswerCheck
{
    // The clients send valid requests with a key for everything, so any other code shows a defect.
    private static readonly Dictionary<int, HashSet<string>> expected = new()
    {
        // The last line of an export that failed after its status was sent.
        [200] = ["database.unavailable", "process.stopping"],
        [404] =
        [
            "document.not_found", "category.not_found", "product.not_found", "user.not_found", "order.not_found",
            "review.not_found",
        ],
        [409] =
        [
            "idempotency.in_progress", "version.overtaken", "category.has_products", "product.category_unknown",
            "product.slug_taken", "product.sold", "product.sold_out", "product.stock_below_zero", "product.unknown",
            "product.inactive", "order.user_unknown", "order.user_inactive", "order.status_refused", "order.closed",
            "review.exists", "review.product_unknown", "review.user_unknown", "user.email_taken", "user.has_orders",
            "user.has_open_orders", "user.erased",
        ],
        [412] = ["version.mismatch"],
        [422] = ["idempotency.key_reused"],
        [428] = ["stock.version_required"],
        [429] = ["rate.exceeded"],
        [503] =
        [
            "database.unavailable", "lock.timeout", "request.timeout", "streams.busy", "search.busy",
            "consistency.not_reached", "gateway.unavailable",
        ],
    };

    public static IEnumerable<string> Find(History history) =>
        from attempt in history.Attempts
        where (attempt.Status >= 300 || attempt.Code is not null) && !IsExpected(attempt)
        select $"{attempt} was answered with {attempt.Code ?? "no code"}";

    private static bool IsExpected(Attempt attempt) => attempt.Code switch
    {
        { } code when expected.GetValueOrDefault(attempt.Status)?.Contains(code) == true => true,
        "session.refused" => attempt.HasWrongPassword,
        "access.customer_inactive" => attempt.Customer is not null,
        // A search that waited for a lock for longer than its time, and changes from before a rebuild.
        "search.too_expensive" or "cursor.expired" => History.OperationOf(attempt).IsRead,
        _ => false,
    };
}
