using System.Globalization;
using System.Text.RegularExpressions;

namespace ApexShop.TestKit.HttpFiles;

/// <summary>One request of a .http file, its variables not yet filled in.</summary>
public sealed record HttpFileRequest(
    string Title, string? Name, int? Status, string? Code, string Method, string Url,
    IReadOnlyList<(string Name, string Value)> Headers, string? Body);

/// <summary>
/// A .http file as editors read it: variables, requests between <c>###</c> lines, names in <c># @name</c>. A line
/// <c># expect 409 some.code</c> is the error that a request must get.
/// </summary>
public sealed partial record HttpFile(
    string Path, IReadOnlyDictionary<string, string> Variables, IReadOnlyList<HttpFileRequest> Requests)
{
    /// <summary>The files among the sources of a program.</summary>
    public static IReadOnlyList<HttpFile> Of(string program) =>
    [
        .. Directory.EnumerateFiles(
            System.IO.Path.Combine(Repository.Root, "src", program), "*.http", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal)
            .Select(path => Parse(System.IO.Path.GetRelativePath(Repository.Root, path), File.ReadAllText(path))),
    ];

    public static HttpFile Parse(string path, string text)
    {
        var blocks = Separator().Split(text.ReplaceLineEndings("\n"));
        var variables = blocks[0].Split('\n').Select(line => Variable().Match(line)).Where(match => match.Success)
            .ToDictionary(match => match.Groups[1].Value, match => match.Groups[2].Value.Trim());
        return new HttpFile(path, variables, [.. blocks.Skip(1).Select(Request)]);
    }

    /// <summary>Whether a URL of a file matches a route's pattern.</summary>
    public static bool Reaches(string pattern, string url)
    {
        var path = url.Replace("{{host}}", "", StringComparison.Ordinal).Split('?')[0];
        var (wanted, given) = (pattern.Split('/'), path.Split('/'));
        return wanted.Length == given.Length
            && wanted.Zip(given).All(pair => pair.First == pair.Second || pair.First.StartsWith('{'));
    }

    private static HttpFileRequest Request(string block)
    {
        var lines = block.Split('\n').ToList();
        var comments = lines.Skip(1).TakeWhile(line => line.StartsWith('#')).ToList();
        var name = comments.Select(line => Named().Match(line)).FirstOrDefault(match => match.Success)?.Groups[1].Value;
        var expected = comments.Select(line => Expected().Match(line)).FirstOrDefault(match => match.Success);
        var head = lines.Skip(1 + comments.Count).TakeWhile(line => line.Length > 0).ToList();
        var body = string.Join('\n', lines.Skip(1 + comments.Count + head.Count)).Trim();
        var (method, url) = head[0].Split(' ') is [var verb, var target]
            ? (verb, target)
            : throw new FormatException($"No request: {head[0]}");
        return new HttpFileRequest(
            lines[0].Trim(),
            name,
            expected is null ? null : int.Parse(expected.Groups[1].Value, CultureInfo.InvariantCulture),
            expected?.Groups[2].Value,
            method,
            url,
            [.. head.Skip(1).Select(Header)],
            body.Length > 0 ? body : null);
    }

    private static (string Name, string Value) Header(string line) =>
        line.Split(": ", 2) is [var name, var value] ? (name, value) : throw new FormatException(line);

    [GeneratedRegex("^###", RegexOptions.Multiline)]
    private static partial Regex Separator();

    [GeneratedRegex(@"^@(\w+)\s*=(.*)$")]
    private static partial Regex Variable();

    [GeneratedRegex(@"^# @name (\w+)$")]
    private static partial Regex Named();

    [GeneratedRegex(@"^# expect (\d{3}) (\S+)$")]
    private static partial Regex Expected();
}
