using System.Diagnostics;

namespace ApexShop.Containers.Tests;

/// <summary>Commands of Docker, in the engine that the environment names.</summary>
internal static class Docker
{
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(10);

    /// <summary>Runs a program to its successful end and returns what it wrote.</summary>
    public static async Task<string> RunAsync(
        string folder, IReadOnlyDictionary<string, string> environment, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder, RedirectStandardInput = true, RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var (name, value) in environment) start.Environment[name] = value;
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync().WaitAsync(limit);
        process.ExitCode.ShouldBe(0, $"{program} {string.Join(' ', arguments)}\n{await output}\n{await error}");
        return await output;
    }
}
