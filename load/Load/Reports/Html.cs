using System.Xml.Linq;

namespace ApexShop.Load.Reports;

/// <summary>
/// Builds pages as trees: every text is escaped, and every page is well-formed XML and valid HTML.
/// </summary>
internal static class Html
{
    public static XElement Tag(string name, params object?[] content) => new(name, content);

    public static XAttribute Class(string value) => new("class", value);

    public static XAttribute Is(string name, object value) => new(name, value);

    /// <summary>A table; columns after the first are figures.</summary>
    public static XElement Table(IEnumerable<string> head, IEnumerable<IEnumerable<object>> rows) =>
        Tag("div", Class("wide"), Tag("table",
            Tag("thead", Tag("tr", head.Select(cell => Tag("th", cell)))),
            Tag("tbody", rows.Select(row => Tag("tr", row.Select(cell => Tag("td", cell)))))));

    public static string Page(string title, params object?[] body)
    {
        var page = Tag("html", Is("lang", "en"),
            Tag("head",
                Tag("meta", Is("charset", "utf-8")),
                Tag("meta", Is("name", "viewport"), Is("content", "width=device-width, initial-scale=1")),
                Tag("title", title),
                Tag("style", PageStyle.Text)),
            Tag("body", Tag("main", body)));
        // An empty element would be written as <p/>, which HTML reads as a start tag without an end tag.
        foreach (var empty in page.Descendants()
            .Where(element => element.IsEmpty && element.Name.LocalName is not ("meta" or "br")))
            empty.Value = "";
        return $"<!DOCTYPE html>\n{page.ToString(SaveOptions.DisableFormatting)}\n";
    }

    /// <summary>Good or bad, in words and in colour.</summary>
    public static XElement Verdict(bool good, string text) => Tag("span", Class(good ? "good" : "bad"), text);
}
