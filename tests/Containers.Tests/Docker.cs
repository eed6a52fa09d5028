using ApexShop.TestKit;

namespace ApexShop.Containers.Tests;

/// <summary>Commands of Docker, in the engine that the environment names.</summary>
internal static class Docker
{
    // The images, on a slow machine.
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(15);

    /// <summary>Runs a program to its successful end and returns what it wrote.</summary>
    public static async Task<string> RunAsync(
        string folder, IReadOnlyDictionary<string, string> environment, string program, params string[] arguments)
    {
        var start = ProgramRun.StartOf(program, arguments);
        start.WorkingDirectory = folder;
        foreach (var (name, value) in environment) start.Environment[name] = value;
        var run = await ProgramRun.OfAsync(start, limit);
        run.ExitCode.ShouldBe(0, $"{program} {string.Join(' ', arguments)}\n{run.Output}\n{run.Error}");
        return run.Output;
    }
}
