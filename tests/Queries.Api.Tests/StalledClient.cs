using System.Net;
using System.Net.Sockets;
using System.Text;

namespace ApexShop.Queries.Api.Tests;

/// <summary>A client that reads the status of a response and nothing that follows.</summary>
internal static class StalledClient
{
    /// <summary>Null unless the status is 200.</summary>
    public static async Task<Socket?> ConnectAsync(HttpClient http, string path, string header = "Accept: */*")
    {
        var socket = new Socket(
            AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        await socket.ConnectAsync(IPAddress.Loopback, http.BaseAddress!.Port);
        await socket.SendAsync(Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: shop\r\n{header}\r\n\r\n"));
        var status = new byte["HTTP/1.1 200".Length];
        var length = await socket.ReceiveAsync(status);
        if (Encoding.ASCII.GetString(status, 0, length).EndsWith("200", StringComparison.Ordinal)) return socket;
        socket.Dispose();
        return null;
    }
}
