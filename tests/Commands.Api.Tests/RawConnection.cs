using System.Net.Sockets;
using System.Text;

namespace ApexShop.Commands.Api.Tests;

/// <summary>A socket, for what no HTTP client would send.</summary>
internal sealed class RawConnection : IDisposable
{
    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(20);

    private readonly TcpClient client = new();
    private NetworkStream? stream;

    public static async Task<RawConnection> OpenAsync(Uri address)
    {
        var connection = new RawConnection();
        await connection.client.ConnectAsync(address.Host, address.Port);
        connection.stream = connection.client.GetStream();
        return connection;
    }

    /// <summary>The head of a request with a key that may do everything.</summary>
    public static string Head(string request, params string[] headers) =>
        string.Join("\r\n", [
            $"{request} HTTP/1.1", "Host: shop.example", $"Authorization: Bearer {CommandsApp.Key}", .. headers, "", "",
        ]);

    public Task SendAsync(string text) => SendAsync(Encoding.Latin1.GetBytes(text));

    public async Task SendAsync(byte[] bytes) => await stream!.WriteAsync(bytes);

    /// <summary>Says that nothing more will come and still listens.</summary>
    public void Finish() => client.Client.Shutdown(SocketShutdown.Send);

    /// <summary>Hangs up at once, without the usual farewell.</summary>
    public void Reset()
    {
        client.LingerState = new LingerOption(true, 0);
        client.Close();
    }

    /// <summary>
    /// Everything until the server closes or resets the connection; a request that says <c>Connection: close</c> makes
    /// it
    /// do so.
    /// </summary>
    public async Task<string> ReadAsync()
    {
        using var answer = new MemoryStream();
        try
        {
            await stream!.CopyToAsync(answer).WaitAsync(timeout);
        }
        catch (IOException reset) when (
            reset.InnerException is SocketException { SocketErrorCode: SocketError.ConnectionReset })
        {
            return Encoding.UTF8.GetString(answer.ToArray());
        }

        return Encoding.UTF8.GetString(answer.ToArray());
    }

    public void Dispose() => client.Dispose();
}
