namespace ApexShop.Queries.Api.Suggesting;

/// <summary>A word of product names, and how many active products have it.</summary>
internal readonly record struct WordCount(string Word, int Products);

/// <summary>Words in ordinal order, so that those with the same beginning stand together. It never changes.</summary>
internal sealed class WordList
{
    /// <summary>A shorter word is not corrected: too many others differ from it by one letter.</summary>
    public const int ShortestToCorrect = 4;

    private static readonly Comparer<WordCount> order =
        Comparer<WordCount>.Create((one, other) => string.CompareOrdinal(one.Word, other.Word));

    private readonly WordCount[] words;

    private WordList(WordCount[] words) => this.words = words;

    public static WordList Empty { get; } = new([]);

    /// <summary>This list with the numbers of some words changed; a word that no product has is removed.</summary>
    public WordList With(IReadOnlyCollection<WordCount> changed)
    {
        if (changed.Count == 0) return this;
        var next = new List<WordCount>(words.Length + changed.Count);
        var at = 0;
        foreach (var one in changed.Order(order))
        {
            while (at < words.Length && order.Compare(words[at], one) < 0) next.Add(words[at++]);
            if (at < words.Length && words[at].Word == one.Word) at++;
            if (one.Products > 0) next.Add(one);
        }

        return new([.. next, .. words.AsSpan(at)]);
    }

    public bool Contains(string word) => Find(word) is var at && at < words.Length && words[at].Word == word;

    /// <summary>
    /// The words with this beginning, or when there is none, those with a beginning that differs from it by one typing
    /// error: the word itself first, then those of the most products.
    /// </summary>
    public IReadOnlyList<WordCount> Completions(string beginning, int most)
    {
        var best = Best(StartingWith(beginning), beginning, most);
        return best.Length == 0 && beginning.Length >= ShortestToCorrect
            ? Best(TypingErrors.Corrected(beginning, this).SelectMany(StartingWith).Distinct(), beginning, most)
            : best;
    }

    /// <summary>The word; without it, the one of the most products that differs by one typing error.</summary>
    public string? KnownOrNearest(string word)
    {
        if (Contains(word)) return word;
        if (word.Length < ShortestToCorrect) return null;
        var near = TypingErrors.Corrected(word, this).Where(Contains).Select(one => words[Find(one)]);
        return near.OrderByDescending(one => one.Products).Select(one => one.Word).FirstOrDefault();
    }

    /// <summary>The letters that follow this beginning in any word.</summary>
    public IEnumerable<char> NextLetters(string beginning)
    {
        var at = Find(beginning);
        while (at < words.Length && words[at].Word.StartsWith(beginning, StringComparison.Ordinal))
        {
            if (words[at].Word.Length == beginning.Length)
            {
                at++;
                continue;
            }

            var next = words[at].Word[beginning.Length];
            yield return next;
            if (next == char.MaxValue) yield break;
            at = Find($"{beginning}{(char)(next + 1)}");
        }
    }

    public bool HasBeginning(string beginning) =>
        Find(beginning) is var at && at < words.Length
        && words[at].Word.StartsWith(beginning, StringComparison.Ordinal);

    private IEnumerable<WordCount> StartingWith(string beginning)
    {
        for (var at = Find(beginning); at < words.Length; at++)
        {
            if (!words[at].Word.StartsWith(beginning, StringComparison.Ordinal)) yield break;
            yield return words[at];
        }
    }

    // Without a list of all: those that begin with one letter are a large part of the words.
    private static WordCount[] Best(IEnumerable<WordCount> found, string beginning, int most)
    {
        var worstFirst = new PriorityQueue<WordCount, (bool IsSame, int Products, int Place)>();
        var place = 0;
        foreach (var one in found)
        {
            var rank = (one.Word == beginning, one.Products, --place);
            if (worstFirst.Count < most) worstFirst.Enqueue(one, rank);
            else worstFirst.EnqueueDequeue(one, rank);
        }

        var best = new WordCount[worstFirst.Count];
        for (var at = best.Length - 1; at >= 0; at--) best[at] = worstFirst.Dequeue();
        return best;
    }

    // The first place whose word is not before this one.
    private int Find(string word)
    {
        var at = Array.BinarySearch(words, new(word, 0), order);
        return at < 0 ? ~at : at;
    }
}
