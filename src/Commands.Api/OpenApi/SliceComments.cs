using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The XML comments of types, which the compiler writes to a file beside the assembly.</summary>
internal sealed partial class SliceComments
{
    private readonly Dictionary<string, string> summaries =
        Read(Path.ChangeExtension(typeof(SliceComments).Assembly.Location, ".xml"));

    /// <summary>The summary of a type on one line, or null if it has none.</summary>
    public string? Of(Type type) => summaries.GetValueOrDefault("T:" + type.FullName!.Replace('+', '.'));

    private static Dictionary<string, string> Read(string file) => XDocument.Load(file).Descendants("member")
        .Where(member => member.Element("summary") is not null)
        .ToDictionary(member => member.Attribute("name")!.Value, member => Text(member.Element("summary")!));

    // A reference to a type or parameter is an empty element: its text is the name.
    private static string Text(XElement summary)
    {
        foreach (var reference in summary.Descendants().Where(element => element.IsEmpty).ToList())
        {
            var name = (string?)reference.Attribute("cref") ?? (string?)reference.Attribute("name") ?? "";
            reference.ReplaceWith(name[(name.LastIndexOfAny(['.', ':']) + 1)..]);
        }

        return Whitespace().Replace(summary.Value, " ").Trim();
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Whitespace();
}
