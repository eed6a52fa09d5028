using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ApexShop.Architecture.Tests;

/// <summary>
/// A migration may only add while the previous release still runs. Removing is a step of a later release, whose
/// migration has a comment that begins with "contract:" and names the release since which nothing uses the removed
/// part. A constraint may refuse what the previous release writes, so it has such a comment too, which describes that.
/// </summary>
internal static partial class MigrationRules
{
    public const string Mark = "contract:";

    public static IEnumerable<string> Found(IEnumerable<SourceFile> migrations) =>
        from file in migrations
        where !file.Text.Contains(Mark, StringComparison.Ordinal)
        from Match match in Contracting().Matches(Applied(file))
        select $"{file.Path}: {Spaces().Replace(match.Value, " ")}";

    // An upgrade does not run Down.
    private static string Applied(SourceFile file) => file.Name.EndsWith(".sql", StringComparison.Ordinal)
        ? file.Text
        : file.Root.RemoveNodes(
            file.Root.DescendantNodes().OfType<MethodDeclarationSyntax>()
                .Where(method => method.Identifier.Text == "Down"),
            SyntaxRemoveOptions.KeepNoTrivia)!.ToFullString();

    [GeneratedRegex(
        @"\b(Drop(Table|Column|Schema|Sequence)|Rename(Table|Column|Sequence)|AlterColumn)\b"
        + @"|\bAdd(CheckConstraint|UniqueConstraint|ForeignKey|PrimaryKey)\b"
        + @"|\bADD\s+(CONSTRAINT|CHECK|UNIQUE|FOREIGN\s+KEY|PRIMARY\s+KEY)\b"
        + @"|\bDROP\s+(TABLE|COLUMN|VIEW|TYPE|SCHEMA|SEQUENCE|FUNCTION)\b|\bRENAME\s+(TO|COLUMN)\b"
        + @"|\bSET\s+NOT\s+NULL\b|\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b"
        + @"|\bADD\s+COLUMN\s+(IF\s+NOT\s+EXISTS\s+)?\w+\s+[^,;]*\bNOT\s+NULL\b"
        + @"(?![^,;]*\bDEFAULT\b)(?<!\bDEFAULT\b[^,;]*)",
        RegexOptions.IgnoreCase)]
    private static partial Regex Contracting();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
