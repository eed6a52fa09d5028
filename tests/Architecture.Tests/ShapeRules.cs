using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ApexShop.Architecture.Tests;

/// <summary>The rules behind <see cref="RepositoryShapeTests"/>: each returns the violations it found.</summary>
internal static partial class ShapeRules
{
    public const int FileLimit = 150;
    public const int SliceLimit = 90;
    public const int ProgramLimit = 40;
    public const int MethodLimit = 30;
    public const int LineLimit = 120;

    private static readonly string[] referenceCodes = ["1570", "1574", "1580", "1581", "1584", "1590"];

    public static IEnumerable<string> Lengths(IEnumerable<SourceFile> files) =>
        from file in files
        let limit = file.Name == "Program.cs" ? ProgramLimit : IsSlice(file) ? SliceLimit : FileLimit
        where file.Lines > limit
        select $"{file.Path} has {file.Lines} lines, {limit} are allowed";

    public static IEnumerable<string> LongLines(IEnumerable<SourceFile> files) =>
        from file in files
        from line in file.Text.Split('\n').Index()
        where line.Item.TrimEnd('\r').Length > LineLimit
        select $"{file.At(line.Index + 1)} has {line.Item.TrimEnd('\r').Length} characters, {LineLimit} are allowed";

    /// <summary>Build files that let the compiler accept a comment which names a type that does not exist.</summary>
    public static IEnumerable<string> UncheckedReferences(IEnumerable<SourceFile> buildFiles) =>
        from file in buildFiles
        from line in file.Text.Split('\n').Index()
        where line.Item.Contains("<GenerateDocumentationFile>false", StringComparison.Ordinal)
            || line.Item.Contains("<TreatWarningsAsErrors>false", StringComparison.Ordinal)
            || referenceCodes.Any(code => line.Item.Contains($"CS{code}", StringComparison.Ordinal))
        select $"{file.At(line.Index + 1)} turns the check of cref off";

    public static IEnumerable<string> MethodLengths(IEnumerable<SourceFile> files) =>
        from file in files
        from method in file.Root.DescendantNodes().OfType<MethodDeclarationSyntax>()
        let body = (Microsoft.CodeAnalysis.SyntaxNode?)method.Body ?? method.ExpressionBody
        where body is not null
        let lines = body.GetLocation().GetLineSpan() is var span
            ? span.EndLinePosition.Line - span.StartLinePosition.Line + 1
            : 0
        // The two lines of the braces are not counted.
        where lines - 2 > MethodLimit
        select $"{file.Path}: {method.Identifier.Text} has {lines - 2} lines, {MethodLimit} are allowed";

    public static IEnumerable<string> NotAscii(IEnumerable<SourceFile> files) =>
        Comments(files, text => text.Any(character => character > 127), "is not ASCII");

    public static IEnumerable<string> Banners(IEnumerable<SourceFile> files) =>
        Comments(files, text => Banner().IsMatch(text), "is a banner").Concat(
            from file in files
            from line in file.Text.Split('\n').Index()
            where line.Item.TrimStart().StartsWith("#region", StringComparison.Ordinal)
            select $"{file.At(line.Index + 1)} is a region");

    public static IEnumerable<string> Code(IEnumerable<SourceFile> files) =>
        Comments(
            files, text =>
                !text.StartsWith("///", StringComparison.Ordinal) && CommentedOut().IsMatch(text), "is code");

    /// <summary>Event ids that two log messages of one program have, with those of Shared.</summary>
    public static IEnumerable<string> LogNumbers(IEnumerable<SourceFile> files) => files
        .SelectMany(file => LogNumber().Matches(file.Text).Select(match => (file.Path, Number: match.Value)))
        .GroupBy(line => line.Number, line => line.Path).Where(lines => lines.Count() > 1)
        .Select(lines => $"{lines.Key} is in {string.Join(" and ", lines)}");

    public static IEnumerable<string> Unfinished(IEnumerable<SourceFile> files) =>
        Comments(files, text => Promise().IsMatch(text), "is unfinished work").Concat(
            from file in files
            from node in file.Root.DescendantNodes().OfType<ObjectCreationExpressionSyntax>()
            where node.Type.ToString() == nameof(NotImplementedException)
            select $"{file.At(node.GetLocation().GetLineSpan().StartLinePosition.Line + 1)} is unfinished work");

    public static IEnumerable<string> Skipped(IEnumerable<SourceFile> files) =>
        from file in files
        from argument in file.Root.DescendantNodes().OfType<AttributeArgumentSyntax>()
        where argument.NameEquals?.Name.Identifier.Text == "Skip"
        select $"{file.Path} skips a test";

    public static IEnumerable<string> Names(IEnumerable<SourceFile> files) =>
        from file in files
        from method in file.Root.DescendantNodes().OfType<MethodDeclarationSyntax>()
        where method.AttributeLists.SelectMany(list => list.Attributes)
            .Any(attribute => attribute.Name.ToString() is "Fact" or "Theory")
        where !method.Identifier.Text.Contains('_')
        select $"{file.Path}: {method.Identifier.Text} is not a sentence";

    private static bool IsSlice(SourceFile file) =>
        !file.Name.EndsWith("Routes.cs", StringComparison.Ordinal)
        && file.Root.DescendantNodes().OfType<MethodDeclarationSyntax>()
            .Any(method => method.Identifier.Text is "Map" or "HandleAsync");

    private static IEnumerable<string> Comments(IEnumerable<SourceFile> files, Func<string, bool> wrong, string what) =>
        from file in files
        from comment in file.Comments
        from line in comment.Text.Split('\n').Index()
        where wrong(line.Item.Trim())
        select $"{file.At(comment.Line + line.Index)} {what}: {line.Item.Trim()}";

    [GeneratedRegex("(?<=\\[LoggerMessage\\()[0-9]+")]
    private static partial Regex LogNumber();

    [GeneratedRegex(@"([-=*#_~/])\1{4,}")]
    private static partial Regex Banner();

    // A statement's end, a block's bracket or a declaration's start; prose in comments ends otherwise.
    [GeneratedRegex(
        @"^//\s*(.*[\w\)\]""]\s*;\s*$|[{}]\s*$|.*\)\s*\{\s*$"
        + @"|(public|private|internal|protected|using|return|await|var|if \(|foreach \()\b.*[;{\)]\s*$)")]
    private static partial Regex CommentedOut();

    [GeneratedRegex(@"\b(TODO|FIXME|HACK|XXX)\b", RegexOptions.IgnoreCase)]
    private static partial Regex Promise();
}
