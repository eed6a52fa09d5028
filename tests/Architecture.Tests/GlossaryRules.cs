using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ApexShop.Architecture.Tests;

/// <summary>The rules behind <see cref="GlossaryTests"/>: each returns the violations it found.</summary>
internal static class GlossaryRules
{
    /// <summary>Types whose name ends neither with a term of the glossary nor with one of the field's nouns.</summary>
    public static IEnumerable<string> UnknownNouns(
        IEnumerable<SourceFile> files, IEnumerable<GlossaryRow> rows, IEnumerable<string> fieldTerms)
    {
        var terms = rows.SelectMany(row => row.Terms).Concat(fieldTerms)
            .Select(term => Key(Glossary.Words(term))).ToHashSet();
        return
            from file in files
            from type in file.Root.DescendantNodes().OfType<MemberDeclarationSyntax>()
            where IsOutermost(type) && !IsSlice(type)
            let name = NameOf(type)
            where !Ends(name).Any(terms.Contains)
            group file.Path by name into places
            let noun = Glossary.Words(places.Key)[^1]
            orderby noun, places.Key
            select $"{noun}: {places.Key} in {string.Join(" and ", places)}";
    }

    /// <summary>Terms without a path, and paths that do not exist.</summary>
    public static IEnumerable<string> WrongPaths(IEnumerable<GlossaryRow> rows, Func<string, bool> exists) =>
        from row in rows
        let paths = Glossary.Paths(row).ToList()
        from wrong in paths.Count == 0
            ? ["has no path"]
            : paths.Where(path => !exists(path)).Select(path => $"names {path}, which does not exist")
        select $"{row.Terms[0]} {wrong}";

    // Every end of a name: "cached response" and "response" for CachedResponse.
    private static IEnumerable<string> Ends(string name)
    {
        var words = Glossary.Words(name);
        return Enumerable.Range(0, words.Length).Select(start => Key(words[start..]));
    }

    private static string Key(IEnumerable<string> words) => string.Join(' ', words.Select(Glossary.Stem));

    private static bool IsOutermost(MemberDeclarationSyntax type) =>
        type is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax
        && type.Parent is BaseNamespaceDeclarationSyntax or CompilationUnitSyntax;

    // A slice has the name of its operation, which begins with a verb.
    private static bool IsSlice(MemberDeclarationSyntax type) =>
        type is ClassDeclarationSyntax { Identifier.Text: var name } slice
        && !name.EndsWith("Routes", StringComparison.Ordinal)
        && slice.Members.OfType<MethodDeclarationSyntax>()
            .Any(method => method.Identifier.Text is "Map" or "HandleAsync");

    private static string NameOf(MemberDeclarationSyntax type) => type switch
    {
        DelegateDeclarationSyntax one => one.Identifier.Text,
        BaseTypeDeclarationSyntax one => one.Identifier.Text,
        _ => throw new ArgumentException($"{type.Kind()} has no name", nameof(type)),
    };
}
