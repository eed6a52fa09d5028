using System.Reflection;

namespace ApexShop.Architecture.Tests;

/// <summary>The rules behind <see cref="SliceTests"/>: each returns the violations it found.</summary>
internal static class SliceRules
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance
        | BindingFlags.DeclaredOnly;

    /// <summary>
    /// A slice maps its own endpoint; a query is mapped once for each resource.
    /// </summary>
    public static bool IsSlice(Type type) =>
        !IsRoutes(type)
        && ((IsStatic(type) && type.GetMethod("Map", Declared) is not null)
            || type.GetMethod("HandleAsync", Declared) is not null);

    public static bool IsRoutes(Type type) => type.Name.EndsWith("Routes", StringComparison.Ordinal);

    public static bool IsHosting(Type type) => type.Namespace!.EndsWith(".Hosting", StringComparison.Ordinal);

    /// <summary>
    /// Only its own route table (and Hosting) may use a slice; a slice does not use another one, but a PATCH sends the
    /// command of the PUT of its resource.
    /// </summary>
    public static IEnumerable<string> Isolated(IReadOnlyCollection<Type> types)
    {
        var slices = types.Where(IsSlice).ToHashSet();
        return
            from type in types
            where !IsHosting(type)
            from used in TypeUses.Of(type)
            where slices.Contains(used) && used != type
            where !(type.Namespace == used.Namespace && (IsRoutes(type) || IsPatchOf(type, used)))
            select $"{type.FullName} uses slice {used.FullName}";
    }

    public static IEnumerable<string> RoutesAreMappedOnce(IReadOnlyCollection<Type> types)
    {
        var mapped = types.Where(IsRoutes).SelectMany(TypeUses.Of).ToHashSet();
        return types.Where(type => IsSlice(type) && !mapped.Contains(type))
            .Select(type => $"{type.FullName} is in no route table");
    }

    /// <summary>
    /// Top-level types are internal; nested types may be public, since internal input is not validated.
    /// </summary>
    public static IEnumerable<string> Internal(IEnumerable<Type> types) =>
        types.Where(type => type.IsPublic).Select(type => $"{type.FullName} is public");

    public static IEnumerable<string> Sealed(IReadOnlyCollection<Type> types)
    {
        var all = types
            .SelectMany(type => type.GetNestedTypes(BindingFlags.Public | BindingFlags.NonPublic).Prepend(type))
            .ToList();
        var bases = all.Select(type => type.BaseType).OfType<Type>().Select(TypeUses.Outermost).ToHashSet();
        return all
            .Where(
                type => type.IsClass
                    && !type.IsSealed
                    && !bases.Contains(TypeUses.Outermost(type))
                    && !type.Name.Contains('<'))
            .Select(type => $"{type.FullName} is not sealed");
    }

    public static IEnumerable<string> OneEndpointPerFile(IEnumerable<SourceFile> files) =>
        from file in files
        let endpoints =
            file.Root.DescendantNodes().OfType<Microsoft.CodeAnalysis.CSharp.Syntax.MethodDeclarationSyntax>()
            .Count(method => method.Identifier.Text is "Map" or "HandleAsync")
        where endpoints > 1
        select $"{file.Path} has {endpoints} endpoints";

    private static bool IsPatchOf(Type type, Type used) =>
        type.Name.StartsWith("Patch", StringComparison.Ordinal) && used.Name == $"Update{type.Name[5..]}";

    private static bool IsStatic(Type type) => type is { IsAbstract: true, IsSealed: true };
}
