using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ApexShop.Architecture.Tests.Settings;

/// <summary>One options class: its section, the processes that bind it, and whether they follow its changes.</summary>
internal sealed record Registration(Type Type, IReadOnlyList<string> Processes, bool FollowsChanges)
{
    /// <summary>Members that a registration sets from a connection string; they are not settings.</summary>
    public required IReadOnlyList<string> FromConnectionStrings { get; init; }

    public string Section => SectionOf(Type)!;

    public static string? SectionOf(Type type) =>
        type.GetField("Section", BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            ?.GetRawConstantValue() as string;
}

/// <summary>The options that the sources bind to the configuration.</summary>
internal static partial class Registrations
{
    private const string Shared = "Shared";

    public static IReadOnlyList<string> Processes { get; } = ["Commands.Api", "Projector", "Queries.Api"];

    /// <summary>Every options class of the assemblies: a class with the name of its section.</summary>
    public static IEnumerable<Type> Declared =>
        Processes.Append(Shared).SelectMany(TypesOf).Where(type => Registration.SectionOf(type) is not null);

    public static IReadOnlyList<Registration> All { get; } =
    [
        .. from project in Processes.Append(Shared)
           from file in Sources.Of(project)
           from bound in file.Root.DescendantNodes().OfType<GenericNameSyntax>()
           let call = bound.Ancestors().OfType<ExpressionStatementSyntax>().FirstOrDefault()
           where bound.Identifier.Text.StartsWith("AddOptions", StringComparison.Ordinal)
               && call.ToString().Contains("BindConfiguration(", StringComparison.Ordinal)
           let method = bound.Ancestors().OfType<MethodDeclarationSyntax>().First().Identifier.Text
           let processes = project == Shared ? Processes.Where(process => Calls(process, method)) : [project]
           from type in new[] { Find(project, bound.TypeArgumentList.Arguments[0].ToString()) }
           from process in processes
           group (process, call: call.ToString()) by type into uses
           select new Registration(
               uses.Key, [.. uses.Select(use => use.process).Distinct().Order(StringComparer.Ordinal)],
               FollowsChanges(uses.Key))
           {
               FromConnectionStrings = [.. uses.SelectMany(use => FromConnectionString().Matches(use.call))
                   .Select(match => match.Groups[1].Value)],
           },
    ];

    private static bool Calls(string process, string method) => Sources.Of(process)
        .SelectMany(file => file.Root.DescendantNodes().OfType<InvocationExpressionSyntax>())
        .Any(call => call.Expression is MemberAccessExpressionSyntax access && access.Name.Identifier.Text == method);

    private static Type Find(string project, string name) =>
        new[] { project, Shared }.SelectMany(TypesOf).First(type => type.Name == name);

    private static IEnumerable<Type> TypesOf(string project) => Assembly.Load($"ApexShop.{project}").GetTypes();

    private static bool FollowsChanges(Type type) => Sources.Of(type.Assembly.GetName().Name!["ApexShop.".Length..])
        .Any(file => new[] { "IOptionsMonitor", "IOptionsSnapshot", "IOptionsChangeTokenSource" }
            .Any(follower => file.Text.Contains($"{follower}<{type.Name}>", StringComparison.Ordinal)));

    [GeneratedRegex(@"\.(\w+) = builder\.Configuration\.GetConnectionString")]
    private static partial Regex FromConnectionString();
}
