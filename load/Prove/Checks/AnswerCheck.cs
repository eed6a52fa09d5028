using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class AnswerCheck
{
    // The clients send valid requests with a key for everything, so any other status shows a defect.
    private static readonly HashSet<int> expected = [404, 409, 412, 422, 428, 429, 503];

    public static IEnumerable<string> Find(History history) =>
        from attempt in history.Attempts
        where attempt.Status >= 300 && (!IsExpected(attempt) || attempt.Code is null)
        where attempt.Code != "document.not_found"
        select $"{attempt} was answered with {attempt.Code ?? "no code"}";

    private static bool IsExpected(Attempt attempt) => expected.Contains(attempt.Status) || attempt.Code switch
    {
        "session.refused" => attempt.HasWrongPassword,
        "access.customer_inactive" => attempt.Customer is not null,
        // A search that waited for a lock for longer than its time, and changes from before a rebuild.
        "search.too_expensive" or "cursor.expired" => History.OperationOf(attempt).IsRead,
        _ => false,
    };
}
