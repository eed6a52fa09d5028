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

    private static readonly string folder = System.IO.Path.Combine(Repository.Root, "tests", "Mutations");

    public static IReadOnlyList<MutationPatch> All { get; } =
    [
        .. Directory.EnumerateFiles(folder, "*.patch", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            .Select(path => new MutationPatch(path, File.ReadAllText(path))),
    ];

    /// <summary>What is wrong with the patch; nothing is changed.</summary>
    public async Task<IReadOnlyList<string>> ErrorsAsync()
    {
        var (name, errors) = (System.IO.Path.GetRelativePath(folder, Path), new List<string>());
        if (!Text.Split('\n')[0].EndsWith('.')) errors.Add($"{name} does not begin with the guarantee as a sentence");
        var suite = Header("Suite: ");
        var tests = Sources.Tests.Where(file => file.Path.StartsWith($"tests/{suite}/", StringComparison.Ordinal))
            .ToList();
        if (!suite.EndsWith(".Tests", StringComparison.Ordinal) || tests.Count == 0)
            errors.Add($"{name} names no suite");
        else errors.AddRange(Missing(tests).Select(test => $"{name} selects '{test}', which {suite} does not have"));
        if (await RefusalAsync() is { Length: > 0 } refusal) errors.Add($"{name} does not apply: {refusal}");
        return errors;
    }

    // A filter contains parts of Namespace.Class.Method: the last name is that of a class or the start of a method's.
    private IEnumerable<string> Missing(List<SourceFile> tests) => Header("Filter: ").Split('|')
        .Select(term => term.StartsWith(Property, StringComparison.Ordinal) ? term[Property.Length..] : "")
        .Where(term => term.Length == 0
            || !tests.Exists(file => file.Text.Contains(term.Split('.')[^1], StringComparison.Ordinal)));

    private string Header(string name) => Text.Split('\n')
        .TakeWhile(line => !line.StartsWith("--- ", StringComparison.Ordinal))
        .FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal))?[name.Length..] ?? "";

    private async Task<string> RefusalAsync()
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
