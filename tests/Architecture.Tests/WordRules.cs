using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>The words that names, comments, messages and pages do not use.</summary>
internal static class WordRules
{
    /// <summary>Lines of banned-words.txt: a word, an arrow, and what to write in its place.</summary>
    public static IReadOnlyList<string> Banned { get; } =
        File.ReadAllLines(Path.Combine(Repository.Root, "tests", "Architecture.Tests", "banned-words.txt"));

    public static IEnumerable<string> Found(IReadOnlyCollection<SourceFile> files, IEnumerable<string> banned) =>
        from entry in banned
        let parts = entry.Split(" -> ")
        let word = WordOf(parts[0])
        from file in files
        where word.IsMatch(file.Text)
        from line in file.Text.Split('\n').Index()
        where word.IsMatch(line.Item)
        select $"{file.At(line.Index + 1)} has \"{parts[0]}\", write {parts[1]}";

    // A word of a sentence, or a part of a name: "gong", "Gong", "outbox_gong" and "OutboxGong", but not "dragong".
    private static Regex WordOf(string word) =>
        new($"(?<![A-Za-z]){word}s?(?![a-z])|{char.ToUpperInvariant(word[0])}{word[1..]}s?(?![a-z])");
}
