using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>One row of docs/glossary.md: | term | meaning | where |.</summary>
internal sealed record GlossaryRow(string[] Terms, string Where);

/// <summary>The words that names in src may end with: our terms, and the field's nouns.</summary>
internal static partial class Glossary
{
    public static string Page => Path.Combine(Repository.Root, "docs", "glossary.md");

    /// <summary>The common nouns of .NET, PostgreSQL, messaging, caching, HTTP and of a shop.</summary>
    public static IReadOnlyList<string> FieldTerms { get; } =
        File.ReadAllLines(Path.Combine(Repository.Root, "tests", "Architecture.Tests", "field-terms.txt"));

    public static List<GlossaryRow> Rows() => File.Exists(Page) ? Parse(File.ReadAllLines(Page)) : [];

    public static List<GlossaryRow> Parse(IEnumerable<string> lines) =>
    [
        .. lines.Where(line => line.StartsWith('|') && !line.StartsWith("|-", StringComparison.Ordinal)
                && !line.StartsWith("| -", StringComparison.Ordinal))
            .Skip(1)
            .Select(line => line.Trim('|', ' ').Split('|'))
            .Select(cells => new GlossaryRow(
                cells[0].Split([',', '/'], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries),
                cells[^1])),
    ];

    /// <summary>The paths of a row, from the repository's root; a link starts in docs/.</summary>
    public static IEnumerable<string> Paths(GlossaryRow row) =>
        LinkTarget().Matches(row.Where).Select(link => $"docs/{link.Groups[1].Value}")
            .Concat(CodePath().Matches(LinkTarget().Replace(row.Where, "")).Select(path => path.Groups[1].Value));

    /// <summary>The words of a name: "Dead" and "Letters" for DeadLetters.</summary>
    public static string[] Words(string name) => [.. Word().Matches(name).Select(word => word.Value)];

    /// <summary>What singular and plural of a word have in common: "cach" for Cache and Caches.</summary>
    public static string Stem(string word) => word.ToLowerInvariant() switch
    {
        var plural when plural.EndsWith("ies", StringComparison.Ordinal) => plural[..^3] + "y",
        var plural when plural.EndsWith("es", StringComparison.Ordinal) => plural[..^2],
        var plural when plural.EndsWith('s') && !SingularEnd().IsMatch(plural) => plural[..^1],
        var singular when singular.EndsWith('e') => singular[..^1],
        var singular => singular,
    };

    [GeneratedRegex(@"\]\(([^)#]+)[^)]*\)")]
    private static partial Regex LinkTarget();

    [GeneratedRegex("`([\\w./-]+)`")]
    private static partial Regex CodePath();

    [GeneratedRegex("[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+")]
    private static partial Regex Word();

    [GeneratedRegex("(ss|us|is|services|options|extensions)$")]
    private static partial Regex SingularEnd();
}
