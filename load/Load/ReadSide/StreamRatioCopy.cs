using System.Diagnostics;
using System.Globalization;
using Npgsql;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// COPY ... TO STDOUT by psql, discarded. Binary, its fastest format for bytes, timed by psql:
/// neither the start of psql nor the first plan of a session counts.
/// </summary>
internal static class StreamRatioCopy
{
    public static async Task<double> TimeAsync(string connectionString, string select, CancellationToken ct)
    {
        var at = new NpgsqlConnectionStringBuilder(connectionString);
        var copy = $"COPY ({select}) TO STDOUT WITH (FORMAT binary)";
        string[] arguments = ["-X", "-q", "-h", at.Host!, "-p", $"{at.Port}", "-U", at.Username!, "-d", at.Database!];
        string[] commands = ["\\o /dev/null", copy, "\\timing on", copy];
        var start =
            new ProcessStartInfo("psql", [.. arguments, .. commands.SelectMany(command => (string[])["-c", command])])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { ["PGPASSWORD"] = at.Password, ["LC_ALL"] = "C" },
        };
        using var psql = Process.Start(start) ?? throw new InvalidOperationException("psql did not start.");
        var (output, errors) = (psql.StandardOutput.ReadToEndAsync(ct), psql.StandardError.ReadToEndAsync(ct));
        await psql.WaitForExitAsync(ct);
        var printed = await output;
        if (psql.ExitCode != 0 || !printed.StartsWith("Time: ", StringComparison.Ordinal))
            throw new InvalidOperationException($"psql failed:\n{await errors}{printed}");
        return double.Parse(printed.Split(' ')[1], CultureInfo.InvariantCulture);
    }
}
