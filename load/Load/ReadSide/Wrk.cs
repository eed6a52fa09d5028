using System.Globalization;

namespace ApexShop.Load.ReadSide;

/// <summary>The result of one run of wrk.</summary>
internal readonly record struct Load(long Requests, double Rate, double P99Milliseconds);

/// <summary>
/// wrk with one thread and 32 connections unless stated, the same for both sides of a comparison. Every response's
/// status is checked, and the total length must equal the sum of the single lengths.
/// </summary>
internal static class Wrk
{
    public const int Connections = 32;

    private const string Marker = "counted ";

    // At the end of the time, bytes of incomplete responses are counted, but not these responses.
    private const int Cut = 2 * Connections;

    public static async Task<Load> RunAsync(
        Paths paths, Uri server, TimeSpan duration, CancellationToken ct, int connections = Connections)
    {
        var line = await LineAsync(paths, server, duration, connections, ct);
        if (Counts(line) is not [> 0 and var requests, var microseconds, var bytes, var p99, 0, 0, 0, 0, 0])
            throw new InvalidOperationException($"Not every response of {server} was good: {line}");

        Check(server, requests, bytes, paths.ResponseLength);
        return new Load(requests, requests / (microseconds / 1e6), p99 / 1e3);
    }

    /// <summary>Requests that may be refused: the responses a second, and the part of refusals.</summary>
    public static async Task<(double Rate, double Refused)> DisturbAsync(
        Paths paths, Uri server, TimeSpan duration, int connections, CancellationToken ct)
    {
        var line = await LineAsync(paths, server, duration, connections, ct);
        if (Counts(line) is not [> 0 and var requests, var microseconds, _, _, 0, _, _, _, var refused])
            throw new InvalidOperationException($"{server} did not respond: {line}");
        return (requests / (microseconds / 1e6), (double)refused / requests);
    }

    private static async Task<string> LineAsync(
        Paths paths, Uri server, TimeSpan duration, int connections, CancellationToken ct)
    {
        var seconds = Math.Max(1, (int)duration.TotalSeconds);
        var script = Path.Combine(AppContext.BaseDirectory, "ReadSide", "wrk.lua");
        string[] arguments = [
            "-t1", $"-c{connections}", $"-d{seconds}s", "--timeout", "10s",
            .. paths.Header is { } header ? (string[])["-H", header] : [],
            "-s", script, server.ToString(), "--", paths.File,
        ];
        var printed = await Tool.RunAsync("wrk", arguments, new Dictionary<string, string>(), ct);
        return printed.Split('\n').FirstOrDefault(one => one.StartsWith(Marker, StringComparison.Ordinal))
            ?? throw new InvalidOperationException($"wrk did not finish:\n{printed}");
    }

    private static long[] Counts(string line) =>
        [.. line[Marker.Length..].Split(' ').Select(word => long.Parse(word, CultureInfo.InvariantCulture))];

    private static void Check(Uri server, long requests, long bytes, double length)
    {
        // Paths are requested in turns: an incomplete round may differ a little from the mean.
        var allowed = (Cut * length) + (0.005 * requests * length);
        if (Math.Abs(bytes - (requests * length)) <= allowed) return;
        throw new InvalidOperationException(string.Create(
            CultureInfo.InvariantCulture,
            $"{server} sent {bytes:N0} bytes in {requests:N0} responses; one by one they have {length:0.0} bytes."));
    }
}
