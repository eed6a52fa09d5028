using System.Globalization;
using System.Text;
using ApexShop.TestKit.Packages;

namespace ApexShop.TestKit.Pages;

/// <summary>
/// Does what a reader of a page does: executes its commands and writes its files in their order, in one shell that
/// begins in an empty folder, and compares what the commands write with what the page shows.
/// </summary>
public sealed class PageRunner : IDisposable
{
    private readonly Programs folder = new();
    private readonly Programs notes = new();

    /// <summary>A file that the reader has already.</summary>
    public void Write(string file, string text) => folder.Write(file, text);

    /// <summary>
    /// Fails at the first command that fails or writes something else; returns what was written at each part.
    /// </summary>
    public async Task<IReadOnlyList<string>> RunAsync(
        IReadOnlyList<PagePart> parts, IReadOnlyDictionary<string, string> environment)
    {
        notes.Write("script", Script(parts));
        var (exit, rest) = await folder.EndAsync(environment, "bash", Path.Combine(notes.Folder, "script"));
        var outputs = new List<string>();
        var (command, output) = ("", "");
        foreach (var (index, part) in parts.Index())
        {
            if (part.IsCommand)
            {
                if (!File.Exists(Note(index))) break;
                (command, output) = (part.Text, await File.ReadAllTextAsync(Note(index)));
            }

            if (part.IsExpectation)
                part.Matches(output).ShouldBeTrue($"{command}\nwrites\n{output}\nand not\n{part.Text}");
            outputs.Add(output);
        }

        exit.ShouldBe(0, $"{command}\n{output}\n{rest}");
        outputs.Count.ShouldBe(parts.Count);
        return outputs;
    }

    public void Dispose()
    {
        folder.Dispose();
        notes.Dispose();
    }

    private string Note(int index) => Path.Combine(notes.Folder, index.ToString(CultureInfo.InvariantCulture));

    // Commands of one shell: a later part uses the variables and the background processes of an earlier one.
    private string Script(IReadOnlyList<PagePart> parts)
    {
        var script = new StringBuilder("set -eu\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n");
        foreach (var (index, part) in parts.Index())
        {
            if (part.IsCommand)
                script.Append(CultureInfo.InvariantCulture, $"{{\n{part.Text}}} >'{Note(index)}' 2>&1\n");
            if (part.File is not { } file) continue;
            File.WriteAllText(Note(index), part.Text);
            var copy = $"mkdir -p \"$(dirname '{file}')\"\ncp '{Note(index)}' '{file}'\n";
            script.Append(copy);
        }

        return script.ToString();
    }
}
