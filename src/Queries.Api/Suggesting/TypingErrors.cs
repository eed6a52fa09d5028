namespace ApexShop.Queries.Api.Suggesting;

/// <summary>
/// Finds the beginnings of words that differ from a typed one by one error: a letter too many, a missing letter,
/// another letter, or two letters in the wrong order.
/// </summary>
internal static class TypingErrors
{
    /// <summary>The corrected texts; each is the beginning of a word in the list.</summary>
    public static IEnumerable<string> Corrected(string typed, WordList list) =>
        Candidates(typed, list).Where(list.HasBeginning).Distinct(StringComparer.Ordinal);

    private static IEnumerable<string> Candidates(string typed, WordList list)
    {
        for (var at = 0; at <= typed.Length; at++)
        {
            var (before, after) = (typed[..at], typed[at..]);
            if (!list.HasBeginning(before)) yield break;
            if (after.Length > 0) yield return before + after[1..];
            if (after.Length > 1) yield return $"{before}{after[1]}{after[0]}{after[2..]}";
            foreach (var letter in list.NextLetters(before))
            {
                yield return $"{before}{letter}{after}";
                if (after.Length > 0) yield return $"{before}{letter}{after[1..]}";
            }
        }
    }
}
