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
        // The namespace of the project may be left out.
        let to = TopOf(name.Replace(NamespaceOf(floors) + ".", "").Replace('.', '/'))
        where floors.Folders.Contains(to)
        where !floors.Allows(TopOf(user), to) && !floors.Excepts(user[..^".cs".Length], to)
        select $"{user} names {to}").Distinct().Order(StringComparer.Ordinal);

    /// <summary>Nested folders, and their top folder, that use each other directly or through others of them.</summary>
    public static IEnumerable<string> Circles(Floors floors, IEnumerable<Type> types)
    {
        var uses = (
            from type in types
            from used in TypeUses.Of(type)
            where used.Assembly == type.Assembly
            let use = (From: FolderOf(PathOf(floors, type)), To: FolderOf(PathOf(floors, used)))
            where use.From != use.To && TopOf(use.From) == TopOf(use.To)
            select use).ToLookup(use => use.From, use => use.To);
        return (
            from folder in uses
            let circle = UsedBy(folder.Key, uses).Where(other => UsedBy(other, uses).Contains(folder.Key))
            where circle.Any()
            select $"{string.Join(" and ", circle.Order(StringComparer.Ordinal))} use each other").Distinct()
            .Order(StringComparer.Ordinal);
    }

    // Directly or through others; the folder itself only if it is in a circle.
    private static HashSet<string> UsedBy(string folder, ILookup<string, string> uses)
    {
        var (found, next) = (new HashSet<string>(), new Queue<string>(uses[folder]));
        while (next.TryDequeue(out var used))
        {
            if (!found.Add(used)) continue;
            foreach (var other in uses[used]) next.Enqueue(other);
        }

        return found;
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
