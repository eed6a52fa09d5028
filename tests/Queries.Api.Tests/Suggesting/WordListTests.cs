using ApexShop.Queries.Api.Suggesting;

namespace ApexShop.Queries.Api.Tests.Suggesting;

/// <summary>Random words of few letters, compared with a search through all of them.</summary>
public sealed class WordListTests
{
    private const int Turns = 300;

    [Fact]
    public void Completions_are_the_words_with_this_beginning_or_one_error_away_from_it()
    {
        var random = new Random(17);
        for (var turn = 0; turn < Turns; turn++)
        {
            var words = Words(random, 30).ToDictionary(word => word, _ => random.Next(1, 9));
            var list = WordList.Empty.With([.. words.Select(one => new WordCount(one.Key, one.Value))]);
            var typed = Word(random);

            var expected = words.Keys.Where(word => word.StartsWith(typed, StringComparison.Ordinal)).ToList();
            if (expected.Count == 0 && typed.Length >= WordList.ShortestToCorrect)
                expected = [.. words.Keys.Where(word => Beginnings(word).Any(one => IsOneErrorAway(one, typed)))];
            var found = list.Completions(typed, int.MaxValue).Select(one => one.Word).ToList();
            found.ShouldBe(expected, ignoreOrder: true, $"{typed} among {string.Join(' ', words.Keys)}");
            found.Skip(found.Contains(typed) ? 1 : 0).Select(word => words[word])
                .ShouldBeInOrder(SortDirection.Descending);
        }
    }

    [Fact]
    public void The_best_of_many_completions_are_chosen_without_a_list_of_all()
    {
        const int many = 200_000;
        var list = WordList.Empty.With([.. Enumerable.Range(0, many).Select(i => new WordCount($"a{i:D6}", i % 997))]);
        var all = list.Completions("a", int.MaxValue);
        list.Completions("a", 8).ShouldBe(all.Take(8));

        var before = GC.GetAllocatedBytesForCurrentThread();
        list.Completions("a", 8).Count.ShouldBe(8);
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(10_000);
    }

    [Fact]
    public void A_known_word_is_itself_or_the_most_frequent_one_error_away()
    {
        var random = new Random(18);
        for (var turn = 0; turn < Turns; turn++)
        {
            var words = Words(random, 60).ToDictionary(word => word, _ => random.Next(1, 9));
            var list = WordList.Empty.With([.. words.Select(one => new WordCount(one.Key, one.Value))]);
            var typed = Word(random);

            var near = words.Where(one => typed.Length >= WordList.ShortestToCorrect && IsOneErrorAway(one.Key, typed))
                .Select(one => one.Value).DefaultIfEmpty().Max();
            var known = list.KnownOrNearest(typed);
            if (words.ContainsKey(typed)) known.ShouldBe(typed);
            else (known is null ? 0 : words[known]).ShouldBe(near, $"{typed} among {string.Join(' ', words.Keys)}");
        }
    }

    [Fact]
    public void Changes_in_any_number_of_steps_end_in_the_same_list()
    {
        var random = new Random(19);
        for (var turn = 0; turn < Turns; turn++)
        {
            var (list, expected) = (WordList.Empty, new Dictionary<string, int>());
            for (var step = 0; step < 8; step++)
            {
                var changed = Words(random, 6).Select(word => new WordCount(word, random.Next(3))).ToList();
                list = list.With(changed);
                foreach (var (word, products) in changed) expected[word] = products;
            }

            foreach (var (word, products) in expected) list.Contains(word).ShouldBe(products > 0, word);
            foreach (var letter in "abc")
            {
                list.Completions($"{letter}", int.MaxValue).Select(one => one.Word).ShouldBe(
                    expected.Where(one => one.Value > 0 && one.Key[0] == letter).Select(one => one.Key),
                    ignoreOrder: true);
            }
        }
    }

    private static IEnumerable<string> Words(Random random, int count) =>
        Enumerable.Range(0, count).Select(_ => Word(random)).Distinct();

    private static string Word(Random random) =>
        string.Concat(Enumerable.Range(0, random.Next(1, 8)).Select(_ => "abc"[random.Next(3)]));

    private static IEnumerable<string> Beginnings(string word) =>
        Enumerable.Range(0, word.Length + 1).Select(length => word[..length]);

    // Without the letters that both begin and both end with, at most one letter of each is left, or two in reverse.
    private static bool IsOneErrorAway(string one, string other)
    {
        var start = one.Zip(other).TakeWhile(pair => pair.First == pair.Second).Count();
        var (left, right) = (one[start..], other[start..]);
        var end = left.Reverse().Zip(right.Reverse()).TakeWhile(pair => pair.First == pair.Second).Count();
        (left, right) = (left[..^end], right[..^end]);
        return (left.Length <= 1 && right.Length <= 1)
            || (left.Length == 2 && right.Length == 2 && left[0] == right[1] && left[1] == right[0]);
    }
}
