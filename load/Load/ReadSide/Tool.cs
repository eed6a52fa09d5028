using System.Diagnostics;

namespace ApexShop.Load.ReadSide;

/// <summary>Runs a program of the system to its end.</summary>
internal static class Tool
{
    /// <summary>The output; a failure is an exception with the output.</summary>
    public static async Task<string> RunAsync(
        string file, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment,
        CancellationToken ct)
    {
        var start =
            new ProcessStartInfo(file, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var (key, value) in environment) start.Environment[key] = value;
        using var process = Process.Start(start) ?? throw new InvalidOperationException($"{file} did not start.");
        try
        {
            var (output, errors) =
                (process.StandardOutput.ReadToEndAsync(ct), process.StandardError.ReadToEndAsync(ct));
            await process.WaitForExitAsync(ct);
            var printed = await output + await errors;
            return process.ExitCode == 0
                ? printed
                : throw new InvalidOperationException($"{file} ended with {process.ExitCode}:\n{printed}");
        }
        finally
        {
            if (!process.HasExited) process.Kill(entireProcessTree: true);
        }
    }
}
