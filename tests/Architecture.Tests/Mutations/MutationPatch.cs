using System.Diagnostics;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.Mutations;

/// <summary>
/// A small change of the code that breaks a guarantee: a text that names the guarantee, the suite and the filter of the
/// tests that must fail, and then a diff.
/// </summary>
internal sealed record MutationPatch(string Path, string Text)
{
    private const string Property = "FullyQualifiedName~";

    public static IReadOnlyList<MutationPatch> All { get; } =
    [
        .. Directory.EnumerateFiles(Folder, "*.patch", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            .Select(path => new MutationPatch(path, File.ReadAllText(path))),
    ];

    private static string Folder => System.IO.Path.Combine(Repository.Root, "tests", "Mutations");

    /// <summary>What is wrong with the patch; it is applied to nothing.</summary>
    public async Task<IReadOnlyList<string>> ErrorsAsync()
    {
        var name = System.IO.Path.GetRelativePath(Folder, Path);
        var lines = Text.Split('\n');
        var errors = new List<string>();
        if (!lines[0].EndsWith('.')) errors.Add($"{name} does not begin with the guarantee as a sentence");
        var suite = Header(lines, "Suite: ");
        var folder = System.IO.Path.Combine(Repository.Root, "tests", suite);
        if (suite.Length == 0 || !Directory.Exists(folder)) errors.Add($"{name} names no suite");
        else errors.AddRange(MissingTests(lines, folder).Select(test => $"{name} selects '{test}', not in {suite}"));
        if (await ApplyAsync() is { Length: > 0 } refusal) errors.Add($"{name} does not apply: {refusal}");
        return errors;
    }

    // A filter selects by parts of Namespace.Class.Method, so its last name is a class or the start of a method.
    private static IEnumerable<string> MissingTests(string[] lines, string folder)
    {
        var tests = Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories).Select(File.ReadAllText)
            .ToList();
        return Header(lines, "Filter: ").Split('|')
            .Select(term => term.StartsWith(Property, StringComparison.Ordinal) ? term[Property.Length..] : "")
            .Where(term => term.Length == 0
                || !tests.Exists(text => text.Contains(term.Split('.')[^1], StringComparison.Ordinal)));
    }

    private static string Header(string[] lines, string name) => lines.TakeWhile(line => !line.StartsWith("--- "))
        .FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal))?[name.Length..] ?? "";

    private async Task<string> ApplyAsync()
    {
        using var git = Process.Start(new ProcessStartInfo("git", ["apply", "--check", Path])
        {
            WorkingDirectory = Repository.Root,
            RedirectStandardError = true,
        })!;
        var error = await git.StandardError.ReadToEndAsync();
        await git.WaitForExitAsync();
        return error.Trim();
    }
}
