using ApexShop.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace ApexShop.Architecture.Tests;

/// <summary>One file of the repository: its path from the root and its text.</summary>
internal sealed record SourceFile(string Path, string Text)
{
    private readonly Lazy<SyntaxNode> root = new(() => CSharpSyntaxTree.ParseText(Text).GetRoot());

    public SyntaxNode Root => root.Value;

    public string Name => System.IO.Path.GetFileName(Path);

    public int Lines => Text.AsSpan().TrimEnd('\n').Count('\n') + 1;

    /// <summary>Every comment with its line, documentation comments included.</summary>
    public IEnumerable<(int Line, string Text)> Comments => Root.DescendantTrivia(descendIntoTrivia: false)
        .Where(trivia => trivia.Kind() is SyntaxKind.SingleLineCommentTrivia or SyntaxKind.MultiLineCommentTrivia
            or SyntaxKind.SingleLineDocumentationCommentTrivia or SyntaxKind.MultiLineDocumentationCommentTrivia)
        .Select(trivia => (trivia.GetLocation().GetLineSpan().StartLinePosition.Line + 1, trivia.ToFullString()));

    public string At(int line) => $"{Path}:{line}";
}

/// <summary>The files of the repository, without generated ones.</summary>
internal static class Sources
{
    private static readonly string[] generated = ["bin", "obj", "Migrations", "Compiled", "node_modules"];

    public static IReadOnlyList<SourceFile> Programs { get; } = Under("src");

    public static IReadOnlyList<SourceFile> Tests { get; } = Under("tests");

    public static IReadOnlyList<SourceFile> Load { get; } = Under("load");

    public static IReadOnlyList<SourceFile> Samples { get; } = Under("samples");

    /// <summary>Pages, documents, requests and SQL.</summary>
    public static IReadOnlyList<SourceFile> Texts { get; } =
    [
        .. new[] { "src", "tests", "load", "docs", "deploy", "samples", "clients", "eng" }
            .SelectMany(
                folder => new[] { "md", "html", "js", "css", "http", "sql" }.SelectMany(kind => Under(folder, kind))),
        .. new[] { "README.md", "CONTRIBUTING.md", "CHANGELOG.md" }.Select(Read),
    ];

    public static IEnumerable<SourceFile> Sql =>
        Texts.Where(file => file.Path.EndsWith(".sql", StringComparison.Ordinal));

    /// <summary>The build files of src and load.</summary>
    public static IReadOnlyList<SourceFile> BuildFiles { get; } =
    [
        Read("Directory.Build.props"),
        .. new[] { "eng", "src", "load" }.SelectMany(folder =>
            new[] { "props", "targets", "csproj", "globalconfig" }.SelectMany(kind => Under(folder, kind))),
    ];

    public static IEnumerable<SourceFile> All => [.. Programs, .. Tests, .. Load];

    public static IEnumerable<SourceFile> Of(string project) =>
        Programs.Where(file => file.Path.StartsWith($"src/{project}/", StringComparison.Ordinal));

    private static List<SourceFile> Under(string folder, string kind = "cs") =>
    [
        .. Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), $"*.{kind}", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'))
            .Where(
                file => !file.Split('/').Intersect(generated).Any()
                    && !file.EndsWith(".g.cs", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal)
            .Select(Read),
    ];

    private static SourceFile Read(string file) => new(file, File.ReadAllText(Path.Combine(Repository.Root, file)));
}
