using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ApexShop.Architecture.Tests;

/// <summary>The rules behind <see cref="FloorTests"/>: each returns the violations it found.</summary>
internal static class FloorRules
{
    /// <summary>The uses that go up, or to another folder of the same floor.</summary>
    public static IEnumerable<string> Types(Floors floors, IEnumerable<Type> types) => (
        from type in types
        let user = PathOf(floors, type)
        where floors.Folders.Contains(TopOf(user))
        from used in TypeUses.Of(type)
        where used.Assembly == type.Assembly && PathOf(floors, used) is { Length: > 0 }
        let to = PathOf(floors, used)
        where !IsInFolder(to) || floors.Folders.Contains(TopOf(to))
        where !floors.Allows(TopOf(user), TopOf(to)) && !floors.Excepts(user, TopOf(to))
        select $"{user} uses {to}").Distinct().Order(StringComparer.Ordinal);

    /// <summary>Constants leave no trace in an assembly, so the sources may not name a folder above either.</summary>
    public static IEnumerable<string> Names(Floors floors, IEnumerable<SourceFile> files) => (
        from file in files
        let user = file.Path[$"src/{floors.Project}/".Length..]
        where floors.Folders.Contains(TopOf(user))
        from name in file.Root.DescendantNodes().Select(NameOf).OfType<string>()
        where name.StartsWith(NamespaceOf(floors) + ".", StringComparison.Ordinal)
        let to = TopOf(name[(NamespaceOf(floors).Length + 1)..].Replace('.', '/'))
        where floors.Folders.Contains(to)
        where !floors.Allows(TopOf(user), to) && !floors.Excepts(user[..^".cs".Length], to)
        select $"{user} names {to}").Distinct().Order(StringComparer.Ordinal);

    /// <summary>Nested folders that use each other, or their top folder, in both directions.</summary>
    public static IEnumerable<string> Circles(Floors floors, IEnumerable<Type> types)
    {
        var uses = (
            from type in types
            from used in TypeUses.Of(type)
            where used.Assembly == type.Assembly
            let use = (From: FolderOf(PathOf(floors, type)), To: FolderOf(PathOf(floors, used)))
            where use.From != use.To && TopOf(use.From) == TopOf(use.To)
            select use).ToHashSet();
        return uses.Where(use => uses.Contains((use.To, use.From)) && string.CompareOrdinal(use.From, use.To) < 0)
            .Select(use => $"{use.From} and {use.To} use each other").Order(StringComparer.Ordinal);
    }

    /// <summary>Folders that no floor names, and floors whose folder does not exist.</summary>
    public static IEnumerable<string> Folders(Floors floors, IReadOnlyCollection<string> folders) => [
        .. folders.Except(floors.Folders).Select(folder => $"no floor of {floors.Project} names {folder}"),
        .. floors.Folders.Except(folders).Select(folder => $"{floors.Project} has no folder {folder}"),
        .. floors.Folders.GroupBy(folder => folder).Where(lines => lines.Count() > 1)
            .Select(lines => $"{floors.Project} has {lines.Key} on two floors"),
    ];

    private static string? NameOf(Microsoft.CodeAnalysis.SyntaxNode node) => node switch
    {
        UsingDirectiveSyntax { NamespaceOrType: { } used } => used.ToString(),
        QualifiedNameSyntax { Parent: not BaseNamespaceDeclarationSyntax } qualified => qualified.ToString(),
        MemberAccessExpressionSyntax access => access.ToString(),
        _ => null,
    };

    private static string NamespaceOf(Floors floors) => ReferenceTable.Projects[floors.Project].Namespace;

    // The folders and the name of a type: Caching/ResponseCache.
    private static string PathOf(Floors floors, Type type) =>
        AllowedUses.Starts(type.Namespace ?? "", NamespaceOf(floors))
            ? $"{type.Namespace}.{type.Name}"[(NamespaceOf(floors).Length + 1)..].Replace('.', '/').Split('`')[0]
            : "";

    private static string FolderOf(string path) => IsInFolder(path) ? path[..path.LastIndexOf('/')] : "";

    private static bool IsInFolder(string path) => path.Contains('/');

    private static string TopOf(string path) => path.Split('/')[0];
}
