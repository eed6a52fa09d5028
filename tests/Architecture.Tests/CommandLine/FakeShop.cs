using System.Diagnostics;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>A shop without its programs: a process waits for SIGTERM, and every health check succeeds.</summary>
internal sealed class FakeShop : IDisposable
{
    public FakeShop()
    {
        Script.Write("global.json", "{}");
        Script.Write(".local/engine", "SERVERS=native\n");
        Script.Write(".local/secrets", "ADMIN_KEY=kept\nSESSIONS_KEY=before\n");
        foreach (var name in (string[])["commands", "projector", "queries"])
            Directory.CreateDirectory(Script.At($".local/{name}/app"));
        Script.WriteProgram("dotnet", """
            [[ $* == *.dll ]] || exit 0
            trap exit TERM
            while :; do sleep 0.05; done
            """);
        Script.WriteProgram("curl", "exit 0");
    }

    public ScriptCopy Script { get; } = new();

    /// <summary>The id of a running process, or null.</summary>
    public int? Pid(string name)
    {
        var file = Script.At($".local/{name}/pid");
        if (!File.Exists(file)) return null;
        var pid = int.Parse(File.ReadAllText(file).Split(' ')[0]);
        return Runs(pid) ? pid : null;
    }

    /// <summary>A zombie has ended; only its parent has not read its exit status.</summary>
    public static bool Runs(int pid)
    {
        try
        {
            return !File.ReadAllText($"/proc/{pid}/stat").Contains(") Z ");
        }
        catch (IOException)
        {
            // It has ended, perhaps while its state was read.
            return false;
        }
    }

    /// <summary>A setting of a running process, which has it as soon as it executes its program.</summary>
    public async Task<string> SettingAsync(string name, string setting)
    {
        string? found = null;
        await Eventually.Holds(TryRead, $"{name} has the setting {setting}");
        return found![(setting.Length + 1)..];

        bool TryRead() => (found = File.ReadAllText($"/proc/{Pid(name)}/environ").Split('\0')
            .FirstOrDefault(variable => variable.StartsWith($"{setting}=", StringComparison.Ordinal))) is not null;
    }

    public async Task<string> SucceedsAsync(params string[] arguments)
    {
        var result = await Script.RunAsync(arguments);
        result.ExitCode.ShouldBe(0, result.Output + result.Error);
        return result.Output;
    }

    public void Dispose()
    {
        foreach (var folder in Directory.GetDirectories(Script.At(".local")))
        {
            if (Pid(Path.GetFileName(folder)) is not { } pid) continue;
            using var process = Process.GetProcessById(pid);
            process.Kill();
        }

        Script.Dispose();
    }
}
