using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class IdempotencyCheck
{
    public static IEnumerable<string> Find(History history) =>
        history.Writes.Where(attempt => attempt.Key is not null).GroupBy(attempt => attempt.Key)
            .SelectMany(same => Of(history, [.. same.OrderBy(attempt => attempt.Start)]));

    // The attempts of a key come from one client, one after the other.
    private static IEnumerable<string> Of(History history, List<Attempt> attempts)
    {
        var executed = attempts.Where(attempt => history.EventsOf(attempt.Trace).Any()).ToList();
        if (executed.Count > 1) yield return $"{executed[0]} was executed again as {executed[1]}";
        Attempt? stored = null;
        foreach (var attempt in attempts)
        {
            if (stored is not null && Contradicts(stored, attempt))
                yield return $"{stored} was repeated, and the answer was another one: {attempt}";
            if (attempt.Replayed && history.EventsOf(attempt.Trace).Any())
                yield return $"{attempt} is a stored answer and has events";
            if (attempt.Replayed && stored is null && attempts.TrueForAll(other => other.Outcome != Outcome.Unknown))
                yield return $"{attempt} is a stored answer without a first one";
            if (stored is null && IsStored(attempt)) stored = attempt;
        }
    }

    private static bool Contradicts(Attempt stored, Attempt later)
    {
        if (!IsStored(later)) return later.Outcome == Outcome.Acknowledged;
        return later.Body == stored.Body
            ? later.Status != stored.Status || later.Answer != stored.Answer
            : later.Code != "idempotency.key_reused";
    }

    /// <summary>Whether the answer is the outcome of the key from now on.</summary>
    private static bool IsStored(Attempt attempt) => attempt.Outcome == Outcome.Acknowledged
        || (attempt.Outcome == Outcome.Refused && attempt.Status is 404 or 409 or 412 or 422
            && attempt.Code is not ("idempotency.in_progress" or "version.overtaken"));
}
