using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class SuggestionCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var reads = history.Reads.Where(read => read.Texts.Count > 0).ToList();
        var words = history.Log.Where(one => reads.Count > 0 && one.Resource == Kinds.Products)
            .SelectMany(one => ListQuery.WordsOf(one.State.Name)).ToHashSet(StringComparer.OrdinalIgnoreCase);
        return
            from read in reads
            from text in read.Texts
            from word in ListQuery.WordsOf(text)
            where !words.Contains(word)
            select $"{read} suggests '{text}', and no product had the word '{word}' in its name";
    }
}
