using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace ApexShop.Load.Starting;

/// <summary>The time from the start of a process until it answers a request with 200.</summary>
internal static class FirstResponse
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(60);

    /// <summary>The milliseconds since <paramref name="started"/>.</summary>
    public static async Task<double> OfAsync(Uri server, string path, long started, CancellationToken ct)
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
