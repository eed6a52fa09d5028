using System.Net;
using System.Net.Sockets;

namespace ApexShop.TestKit;

/// <summary>Connections that the server has reset before HttpClient reads their address.</summary>
public static class ResetConnections
{
    public static SocketsHttpHandler Handler() => new() { ConnectCallback = (_, ct) => ConnectAsync(ct) };

    private static async ValueTask<Stream> ConnectAsync(CancellationToken ct)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(listener.LocalEndpoint, ct);
        var stream = new NetworkStream(socket, ownsSocket: true);
        using (var accepted = await listener.AcceptSocketAsync(ct)) accepted.LingerState = new LingerOption(true, 0);
        // The reset has arrived.
        while (!socket.Poll(TimeSpan.FromSeconds(1), SelectMode.SelectRead)) ct.ThrowIfCancellationRequested();
        return stream;
    }
}
