using System.Diagnostics;

namespace ApexShop.TestKit;

/// <summary>A program that has run to its end, without input.</summary>
public sealed record ProgramRun(int ExitCode, string Output, string Error)
{
    /// <summary>The output, then the errors.</summary>
    public string Text => Output + Error;

    public static ProcessStartInfo StartOf(string program, params IEnumerable<string> arguments) =>
        new(program, arguments)
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        };

    /// <summary>A shell script, without the settings of the shop that the tests run on.</summary>
    public static ProcessStartInfo StartOfScript(params IEnumerable<string> arguments)
    {
        var start = StartOf("bash", arguments);
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("APEXSHOP_")).ToList())
            start.Environment.Remove(name);
        return start;
    }

    public static Process Begin(ProcessStartInfo start)
    {
        var program = Process.Start(start)!;
        program.StandardInput.Close();
        return program;
    }

    public static async Task<ProgramRun> OfAsync(ProcessStartInfo start)
    {
        using var program = Begin(start);
        var (output, error) = (program.StandardOutput.ReadToEndAsync(), program.StandardError.ReadToEndAsync());
        await program.WaitForExitAsync();
        return new(program.ExitCode, await output, await error);
    }
}
