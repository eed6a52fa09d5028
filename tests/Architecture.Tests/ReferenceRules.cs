using System.Reflection;
using System.Xml.Linq;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ApexShop.Architecture.Tests;

/// <summary>The rules behind <see cref="ReferenceTests"/>: each returns the violations it found.</summary>
internal static class ReferenceRules
{
    private static readonly string[] framework =
        ["System", "Microsoft.AspNetCore", "Microsoft.Extensions", "Microsoft.Net", "Microsoft.CSharp"];

    public static IEnumerable<string> ProjectFile(AllowedUses allowed, XElement project)
    {
        foreach (var reference in Includes(project, "ProjectReference")
            .Select(path => Path.GetFileNameWithoutExtension(path)))
            if (!allowed.Projects.Contains(reference)) yield return $"{allowed.Project} references project {reference}";
        foreach (var package in Includes(project, "PackageReference"))
            if (!allowed.Allows(package)) yield return $"{allowed.Project} references package {package}";
    }

    public static IEnumerable<string> BuiltReferences(AllowedUses allowed, IEnumerable<string> assemblies) => assemblies
        .Where(name => !framework.Any(prefix => AllowedUses.Starts(name, prefix)))
        .Where(name => !allowed.Allows(name) && !allowed.Projects.Any(project => name == $"ApexShop.{project}"))
        .Select(name => $"{allowed.Project} uses {name}");

    /// <summary>A package that belongs to one folder is used by types of that folder only.</summary>
    public static IEnumerable<string> Folders(AllowedUses allowed, IEnumerable<Type> types) =>
        from type in types
        from used in TypeUses.Of(type)
        let folder = allowed.FolderOf(used.Assembly.GetName().Name!)
        where folder is not null && !AllowedUses.Starts(type.Namespace!, $"{allowed.Namespace}.{folder}")
        select $"{type.FullName} uses {used.FullName}, which belongs in {folder}";

    public static IEnumerable<string> NeverUsed(AllowedUses allowed, IEnumerable<Type> types) =>
        from type in types
        from used in TypeUses.Of(type)
        where used.Namespace is { } name && allowed.Never.Any(never => AllowedUses.Starts(name, never))
        select $"{type.FullName} uses {used.FullName}";

    /// <summary>Constants leave no trace in an assembly, so the sources may not name the namespace either.</summary>
    public static IEnumerable<string> NeverNamed(AllowedUses allowed, IEnumerable<SourceFile> files) => (
        from file in files
        from node in file.Root.DescendantNodes()
        let name = node switch
        {
            UsingDirectiveSyntax { NamespaceOrType: { } used } => used.ToString(),
            QualifiedNameSyntax qualified => qualified.ToString(),
            MemberAccessExpressionSyntax access => access.ToString(),
            _ => null,
        }
        where name is not null && allowed.Never.Any(never => AllowedUses.Starts(name, never))
        select $"{file.At(node.GetLocation().GetLineSpan().StartLinePosition.Line + 1)} names {name}").Distinct();

    public static IEnumerable<string> ReferencesOf(Assembly assembly) =>
        assembly.GetReferencedAssemblies().Select(name => name.Name!);

    private static IEnumerable<string> Includes(XElement project, string item) =>
        project.Descendants(item).Select(element => (string?)element.Attribute("Include")).OfType<string>();
}
