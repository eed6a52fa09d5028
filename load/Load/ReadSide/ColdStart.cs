using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.Load.WriteSide;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// From the start of the process to its first good response: Queries.Api against an empty app, both
/// JIT-compiled. For Queries.Api also to its first document, which needs the database.
/// </summary>
internal static class ColdStart
{
    private const int WarmUps = 2;
    private const int Pairs = 11;
    private const double Goal = 1.5;
    private const string Live = "/health/live";

    private static readonly TimeSpan limit = TimeSpan.FromSeconds(60);

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await using var bench = await ReadBench.StartAsync(1, ct);
        var documents = new List<double>();
        var rounds = new Rounds(
            async () =>
            {
                await using var bare = new ControlProcess(null);
                var started = Stopwatch.GetTimestamp();
                bare.Start();
                return await AnsweredAsync(bare.Url, Live, started, ct);
            },
            async () =>
            {
                await using var queries = bench.Queries(CacheSize.Usual);
                var started = Stopwatch.GetTimestamp();
                queries.Start();
                var live = await AnsweredAsync(queries.Url, Live, started, ct);
                documents.Add(await AnsweredAsync(queries.Url, "/products/1", started, ct));
                return live;
            });
        await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "ms", options);
        return
        [
            Figure.OfRatio(
                "cold start of Queries.Api to its first response, against a minimal empty app's", rounds.Ratios,
                "at most 1.50", ratio => ratio <= Goal),
            Figure.Of("Queries.Api: first response", "ms", "0", rounds.Ours),
            Figure.Of("Queries.Api: first document", "ms", "0", [.. documents.TakeLast(rounds.Ours.Count)]),
            Figure.Of("minimal empty app: first response", "ms", "0", rounds.Control),
        ];
    }

    private static async Task<double> AnsweredAsync(Uri server, string path, long started, CancellationToken ct)
    {
        while (Stopwatch.GetElapsedTime(started) < limit)
        {
            if (await IsAnsweredAsync(server, path, ct)) return Stopwatch.GetElapsedTime(started).TotalMilliseconds;
            await Task.Delay(1, ct);
        }

        throw new TimeoutException($"{server} did not respond to {path} within {limit.TotalSeconds} s.");
    }

    // A socket and not HttpClient, whose exceptions before the port is open would compete with the start for the
    // processor.
    private static async Task<bool> IsAnsweredAsync(Uri server, string path, CancellationToken ct)
    {
        using var socket = new Socket(
            AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = true, NoDelay = true };
        try
        {
            socket.Connect(IPAddress.Loopback, server.Port);
        }
        catch (SocketException refused) when (refused.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return false;
        }

        await socket.SendAsync(Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: {server.Authority}\r\n\r\n"), ct);
        var received = new byte[4096];
        var count = await socket.ReceiveAsync(received, ct);
        return received.AsSpan(0, count).StartsWith("HTTP/1.1 200 "u8);
    }
}
