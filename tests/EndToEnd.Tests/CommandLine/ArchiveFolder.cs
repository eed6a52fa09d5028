using System.IO.Compression;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>A folder for an archive of the log of a shop, with ten events in a file.</summary>
internal sealed class ArchiveFolder(Shop shop) : IDisposable
{
    /// <summary>The statement that archives.</summary>
    public const string Archive = "ARCHIVE_EVENTS=10\nrun_verb events archive \"$@\"\n";

    private readonly DirectoryInfo home = Directory.CreateTempSubdirectory("apexshop events ");

    /// <summary>The folder does not exist before the first archiver.</summary>
    public string Path => At("the archive");

    public List<string> Files =>
        [.. Directory.GetFiles(Path, "events-*.ndjson.gz").Order(StringComparer.Ordinal)];

    /// <summary>The lines of all files.</summary>
    public List<string> Lines =>
    [
        .. Files.SelectMany(file =>
        {
            using var text = new StreamReader(new GZipStream(File.OpenRead(file), CompressionMode.Decompress));
            return text.ReadToEnd().TrimEnd('\n').Split('\n');
        }),
    ];

    public string At(string name) => System.IO.Path.Combine(home.FullName, name);

    /// <summary>Archives; its output.</summary>
    public async Task<string> AddAsync(string before = "", params string[] options)
    {
        var (exitCode, text, error) = await shop.ScriptAsync(before + Archive, [Path, .. options]);
        exitCode.ShouldBe(0, error + text);
        return text;
    }

    /// <summary>Runs statements that archive, and expects that they fail for a reason.</summary>
    public async Task RefusedAsync(string statements, string reason)
    {
        var (exitCode, _, error) = await shop.ScriptAsync(statements, Path);
        exitCode.ShouldBe(1, error);
        error.ShouldContain(reason);
    }

    /// <summary>The lines of the log.</summary>
    public async Task<List<string>> LogAsync() =>
        [.. (await shop.Commands.Http.GetStringAsync("/events")).TrimEnd('\n').Split('\n')];

    public Task<string> VerifyAsync() => shop.VerbAsync("events", "verify", Path);

    public void Dispose() => home.Delete(recursive: true);
}
