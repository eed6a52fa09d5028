using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace ApexShop.Commands.Api.Tests.Bulk;

/// <summary>A PUT in chunked encoding on a socket of its own, which sends and receives when a test says so.</summary>
internal sealed class RawRequest : IAsyncDisposable
{
    private readonly TcpClient client = new();
    private StreamReader? reader;

    private NetworkStream Stream => client.GetStream();

    public static async Task<RawRequest> StartAsync(
        Uri server, string path, string type, string key = CommandsApp.Key)
    {
        var request = new RawRequest();
        await request.client.ConnectAsync(server.Host, server.Port);
        request.reader = new StreamReader(request.Stream);
        await request.WriteAsync(
            $"PUT {path} HTTP/1.1\r\nHost: {server.Authority}\r\nAuthorization: Bearer "
            + $"{key}\r\nContent-Type: {type}\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n");
        return request;
    }

    public Task SendAsync(string text) =>
        WriteAsync($"{Encoding.UTF8.GetByteCount(text).ToString("x", CultureInfo.InvariantCulture)}\r\n{text}\r\n");

    /// <summary>Sends what is no chunk of the transfer coding.</summary>
    public Task BreakAsync() => WriteAsync("no length\r\n");

    public Task EndAsync() => WriteAsync("0\r\n\r\n");

    /// <summary>
    /// The next line of the answer, or as much of it as is in one frame; what is around it is passed over.
    /// </summary>
    public async Task<string> LineAsync()
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        while (await reader!.ReadLineAsync(timeout.Token) is { } line)
        {
            if (line.StartsWith("{\"chunk\"", StringComparison.Ordinal)
                || line.StartsWith("{\"done\"", StringComparison.Ordinal))
                return line;
        }

        throw new EndOfStreamException("The answer has no further line.");
    }

    public ValueTask DisposeAsync()
    {
        client.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task WriteAsync(string text) => await Stream.WriteAsync(Encoding.UTF8.GetBytes(text));
}
