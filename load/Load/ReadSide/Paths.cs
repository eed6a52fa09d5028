using System.Net;
using System.Net.Sockets;
using System.Text;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// The paths that a load requests, in a file. Some thousands of them are requested once before, to check the responses
/// and to measure their length with the headers.
/// </summary>
internal sealed class Paths : IDisposable
{
    private const int MostChecked = 5_000;

    private Paths(string file, double length, string? header) =>
        (File, ResponseLength, Header) = (file, length, header);

    public string File { get; }

    /// <summary>The mean over the paths that were requested before.</summary>
    public double ResponseLength { get; }

    /// <summary>A header line of each request; null if there is none.</summary>
    public string? Header { get; }

    public static async Task<Paths> OfAsync(
        Uri server,
        IReadOnlyList<string> paths,
        int leastBody,
        CancellationToken ct,
        string? header = null)
    {
        var total = 0L;
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(server.Host, server.Port, ct);
        var step = 1 + (paths.Count / MostChecked);
        var checkedPaths = paths.Where((_, place) => place % step == 0).ToList();
        foreach (var path in checkedPaths) total += await LengthAsync(socket, server, path, leastBody, header, ct);
        var file = Path.GetTempFileName();
        await System.IO.File.WriteAllLinesAsync(file, paths, ct);
        return new Paths(file, (double)total / checkedPaths.Count, header);
    }

    /// <summary>Paths that are not requested before, because the server may refuse them.</summary>
    public static async Task<Paths> UncheckedAsync(IEnumerable<string> paths, CancellationToken ct)
    {
        var file = Path.GetTempFileName();
        await System.IO.File.WriteAllLinesAsync(file, paths, ct);
        return new Paths(file, 0, null);
    }

    public void Dispose() => System.IO.File.Delete(File);

    private static async Task<int> LengthAsync(
        Socket socket, Uri server, string path, int leastBody, string? header, CancellationToken ct)
    {
        var line = header is null ? "" : $"{header}\r\n";
        await socket.SendAsync(
            Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: {server.Authority}\r\n{line}\r\n"), ct);
        var received = new byte[256 * 1024];
        var (count, length) = (0, int.MaxValue);
        while (count < length)
        {
            var more = await socket.ReceiveAsync(received.AsMemory(count), ct);
            if (more == 0)
                throw new HttpRequestException($"{server} closed the connection instead of a response to {path}.");
            count += more;
            length = LengthOf(received.AsSpan(0, count), path, leastBody);
        }

        return count == length
            ? count
            : throw new HttpRequestException($"{path} gave {count} bytes, its Content-Length is {length}.");
    }

    private static int LengthOf(ReadOnlySpan<byte> received, string path, int leastBody)
    {
        var end = received.IndexOf("\r\n\r\n"u8);
        if (end < 0) return int.MaxValue;
        var head = Encoding.ASCII.GetString(received[..end]).Split("\r\n");
        var body = head.FirstOrDefault(
            line => line.StartsWith("Content-Length: ", StringComparison.Ordinal))?["Content-Length: ".Length..];
        if (!head[0].StartsWith($"HTTP/1.1 {(int)HttpStatusCode.OK} ", StringComparison.Ordinal)
            || !int.TryParse(body, out var length)
            || length < leastBody)
            throw new HttpRequestException($"{path} gave:\n{string.Join('\n', head)}");
        return end + 4 + length;
    }
}
