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

    /// <summary>Runs a program; one that takes longer than the limit is killed, with all that it has started.</summary>
    public static async Task<ProgramRun> OfAsync(ProcessStartInfo start, TimeSpan? limit = null)
    {
        var longest = limit ?? TimeSpan.FromMinutes(10);
        using var program = Begin(start);
        // Another process may keep the output open after the program has ended.
        var end = Task.WhenAll(program.StandardOutput.ReadToEndAsync(), program.StandardError.ReadToEndAsync());
        try
        {
            await Task.WhenAll(end, program.WaitForExitAsync()).WaitAsync(longest);
        }
        catch (TimeoutException)
        {
            program.Kill(entireProcessTree: true);
            throw new TimeoutException(
                $"Not within {longest.TotalMinutes} min: {start.FileName} {string.Join(' ', start.ArgumentList)}");
        }

        return new(program.ExitCode, (await end)[0], (await end)[1]);
    }
}
