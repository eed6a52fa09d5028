using System.Diagnostics;
using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>
/// A copy of ./apexshop in a folder with a space in its name, next to data that only `clean` may delete. Programs that
/// a verb could start are replaced by ones that fail.
/// </summary>
internal sealed partial class ScriptCopy : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop cli ");

    public ScriptCopy()
    {
        var cli = Directory.CreateDirectory(At("eng/cli")).FullName;
        foreach (var file in Directory.GetFiles(Path.Combine(Repository.Root, "eng", "cli")))
            File.Copy(file, Path.Combine(cli, Path.GetFileName(file)));
        File.Copy(Path.Combine(Repository.Root, "apexshop"), At("apexshop"));
        Write(".local/secrets", "ADMIN_KEY=kept");
        Write("src/Shared/bin/kept.dll", "");
        foreach (var program in (string[])["dotnet", "docker", "apt-get", "curl", "tail"])
            WriteProgram(program, "exit 1");
    }

    /// <summary>Every function that is a verb.</summary>
    public static IReadOnlyList<string> Verbs { get; } =
    [
        .. Directory.GetFiles(Path.Combine(Repository.Root, "eng", "cli"), "*.sh")
            .SelectMany(file => VerbFunction().Matches(File.ReadAllText(file)))
            .Select(match => match.Groups[1].Value).Order(StringComparer.Ordinal),
    ];

    /// <summary>The table of verbs, commands and options.</summary>
    public static string Table => File.ReadAllText(Path.Combine(Repository.Root, "eng", "cli", "verbs.txt"));

    /// <summary>Paths and contents of all files.</summary>
    public string State => string.Join('\n', folder.EnumerateFiles("*", SearchOption.AllDirectories)
        .Select(file => $"{file.FullName} {file.Length}").Order(StringComparer.Ordinal));

    public string At(string path) => Path.Combine(folder.FullName, path);

    public string Read(string path) => File.ReadAllText(At(path));

    public void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(At(path))!);
        File.WriteAllText(At(path), text);
    }

    /// <summary>Makes a symbolic link; a relative target is one from the folder of the link.</summary>
    public void Link(string path, string target)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(At(path))!);
        File.CreateSymbolicLink(At(path), target);
    }

    /// <summary>Replaces a program by statements of bash; $ROOT is the copy.</summary>
    public void WriteProgram(string name, string statements)
    {
        Write($"programs/{name}", $"#!/bin/bash\nROOT='{folder.FullName}'\n{statements}\n");
        const UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(At($"programs/{name}"), mode);
    }

    /// <summary>Runs ./apexshop without a terminal.</summary>
    public Task<ProgramRun> RunAsync(params string[] arguments) => StartAsync([At("apexshop"), .. arguments], null);

    /// <summary>Runs statements with all functions of the script.</summary>
    public Task<ProgramRun> CallAsync(string statements, Func<Process, Task>? meanwhile = null)
    {
        const string sources = """
            set -euo pipefail
            ROOT=$0
            for part in "$ROOT"/eng/cli/*.sh; do source "$part"; done
            load_verbs

            """;
        return StartAsync(["-c", sources + statements, folder.FullName], meanwhile);
    }

    /// <summary>Ctrl-C, as soon as a script that runs has written the file `waits`.</summary>
    public async Task InterruptAsync(Process running)
    {
        await Eventually.Holds(() => Task.FromResult(File.Exists(At("waits"))), "the verb waits");
        await Task.Delay(500);
        // To all processes of the session, as a terminal sends it.
        using var kill = Process.Start("kill", ["-INT", "--", $"-{running.Id}"]);
        await kill.WaitForExitAsync();
    }

    public void Dispose() => folder.Delete(recursive: true);

    private async Task<ProgramRun> StartAsync(string[] arguments, Func<Process, Task>? meanwhile)
    {
        // In a session of its own, as from a terminal: a signal can be sent to all its processes. None ignores it, as
        // processes do that a shell has started in the background.
        var start = ProgramRun.StartOf("env", ["--default-signal=INT", "setsid", "bash", .. arguments]);
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("APEXSHOP_")).ToList())
            start.Environment.Remove(name);
        start.Environment["PATH"] = $"{At("programs")}:{start.Environment["PATH"]}";
        using var script = ProgramRun.Begin(start);
        var (output, error) = (script.StandardOutput.ReadToEndAsync(), script.StandardError.ReadToEndAsync());
        if (meanwhile is not null) await meanwhile(script);
        try
        {
            await script.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(5));
        }
        catch (TimeoutException)
        {
            script.Kill(entireProcessTree: true);
            throw;
        }

        return new(script.ExitCode, await output, await error);
    }

    [GeneratedRegex(@"^verb_([a-z]+)\(\)", RegexOptions.Multiline)]
    private static partial Regex VerbFunction();
}
