using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class SuggestionCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var words = history.Log.Where(one => one.Resource == Kinds.Products)
            .SelectMany(one => ListQuery.WordsOf(one.State.Name)).ToHashSet(StringComparer.OrdinalIgnoreCase);
        return
            from read in history.Reads
            from text in read.Texts
            from word in ListQuery.WordsOf(text)
            where !words.Contains(word)
            select $"{read} suggests '{text}', and no product had the word '{word}' in its name";
    }
}
