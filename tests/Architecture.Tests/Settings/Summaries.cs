using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace ApexShop.Architecture.Tests.Settings;

/// <summary>The summaries of members, from the documentation files beside the assemblies.</summary>
internal static class Summaries
{
    private static readonly Dictionary<Assembly, Dictionary<string, XElement>> files = [];

    /// <summary>The summary as a line of Markdown; empty when the member has none.</summary>
    public static string Of(PropertyInfo member)
    {
        var type = member.DeclaringType!;
        if (!files.TryGetValue(type.Assembly, out var summaries))
            files[type.Assembly] = summaries = Read(type.Assembly);
        return summaries.TryGetValue($"P:{type.FullName}.{member.Name}", out var summary)
            ? Regex.Replace(string.Concat(summary.Nodes().Select(Text)), @"\s+", " ").Trim()
                .Replace("|", @"\|", StringComparison.Ordinal)
            : "";
    }

    private static Dictionary<string, XElement> Read(Assembly assembly) =>
        XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml")).Descendants("member")
            .Where(member => member.Element("summary") is not null)
            .ToDictionary(member => member.Attribute("name")!.Value, member => member.Element("summary")!);

    private static string Text(XNode node) => node switch
    {
        XElement { Name.LocalName: "see" } see => $"`{see.Attribute("cref")!.Value.Split('.')[^1]}`",
        XElement element => $"`{element.Value}`",
        _ => node.ToString(),
    };
}
