using System.Net;
using System.Net.Sockets;

namespace ApexShop.TestKit;

/// <summary>A way to a server on the loopback address that a test can cut for one process.</summary>
public sealed class TcpProxy : IDisposable
{
    private readonly TcpListener listener;
    private readonly int target;
    private readonly List<TcpClient> open = [];
    private bool isCut;

    public TcpProxy(int target)
    {
        this.target = target;
        listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _ = AcceptAsync();
    }

    public int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

    /// <summary>Closes all connections, and each later one at once.</summary>
    public void Cut()
    {
        lock (open)
        {
            isCut = true;
            foreach (var client in open) client.Dispose();
            open.Clear();
        }
    }

    public void Restore()
    {
        lock (open) isCut = false;
    }

    public void Dispose()
    {
        listener.Stop();
        Cut();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true) _ = RelayAsync(await listener.AcceptTcpClientAsync());
        }
        catch (Exception closed) when (closed is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task RelayAsync(TcpClient client)
    {
        using var server = new TcpClient();
        try
        {
            await server.ConnectAsync(IPAddress.Loopback, target);
            lock (open)
            {
                open.AddRange([client, server]);
                if (isCut) throw new IOException("The way is cut.");
            }

            await Task.WhenAny(
                client.GetStream().CopyToAsync(server.GetStream()), server.GetStream().CopyToAsync(client.GetStream()));
        }
        catch (Exception closed) when (closed is IOException or SocketException or ObjectDisposedException)
        {
            // Either end has closed, or the test has cut it.
        }

        client.Dispose();
    }
}
