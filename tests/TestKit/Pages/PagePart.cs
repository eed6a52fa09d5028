using System.Text.RegularExpressions;

namespace ApexShop.TestKit.Pages;

/// <summary>
/// A code block of a Markdown page. After its language "file=NAME" names the file that it is, and "expect" says that it
/// is what the commands before it write.
/// </summary>
public sealed partial record PagePart(string Language, string Attribute, string Text)
{
    private const string FileAttribute = "file=";

    public bool IsCommand => Language == "bash";

    public bool IsExpectation => Attribute == "expect";

    public string? File => Attribute.StartsWith(FileAttribute, StringComparison.Ordinal)
        ? Attribute[FileAttribute.Length..]
        : null;

    /// <summary>The commands, files and expectations of a page of docs; other examples are left out.</summary>
    public static async Task<IReadOnlyList<PagePart>> ReadAsync(params string[] path)
    {
        var page = await System.IO.File.ReadAllTextAsync(Path.Combine([Repository.Root, "docs", .. path]));
        return [.. Of(page).Where(part => part.IsCommand || part.IsExpectation || part.File is not null)];
    }

    public static IEnumerable<PagePart> Of(string page) => Fence().Matches(page)
        .Select(block => new PagePart(block.Groups[1].Value, block.Groups[2].Value, block.Groups[3].Value));

    /// <summary>
    /// Whether <paramref name="output"/> is the text of this part: in it an ellipsis stands for any part of a line, and
    /// as a line for any lines.
    /// </summary>
    public bool Matches(string output)
    {
        var lines = Text.TrimEnd('\n').Split('\n')
            .Select(line => line == Ellipsis ? "(.*\n)*" : Regex.Escape(line).Replace(Ellipsis, ".*", default) + "\n");
        return Regex.IsMatch(
            output.TrimEnd('\n') + "\n", $@"\A{string.Concat(lines)}\z", RegexOptions.CultureInvariant);
    }

    private const string Ellipsis = "\u2026";

    [GeneratedRegex("^```(\\S*) ?(\\S*)\n(.*?)^```$", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Fence();
}
