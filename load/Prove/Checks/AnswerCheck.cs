using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class AnswerCheck
{
    // The clients send valid requests with a key for everything, so any other status shows a defect.
    private static readonly HashSet<int> expected = [404, 409, 412, 422, 428, 429, 503];

    public static IEnumerable<string> Find(History history) =>
        from attempt in history.Attempts
        where attempt.Status >= 300 && (!expected.Contains(attempt.Status) || attempt.Code is null)
        where attempt.Code != "document.not_found"
        select $"{attempt} was answered with {attempt.Code ?? "no code"}";
}
