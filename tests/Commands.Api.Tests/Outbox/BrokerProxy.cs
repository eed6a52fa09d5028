using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>
/// A port in front of the broker that can be closed and opened again: to a client, a broker that restarts.
/// </summary>
internal sealed class BrokerProxy : IAsyncDisposable
{
    private readonly List<TcpClient> links = [];
    private readonly int port = Loopback.FreePort();
    private TcpListener listener;

    public BrokerProxy() => Open();

    /// <summary>Time by which the broker's bytes arrive later, on connections that are opened from now on.</summary>
    public TimeSpan Delay { get; set; }

    public Uri Url => new UriBuilder(Servers.RabbitMq) { Host = "127.0.0.1", Port = port }.Uri;

    public void Close()
    {
        listener.Stop();
        lock (links)
        {
            links.ForEach(link => link.Dispose());
            links.Clear();
        }
    }

    [MemberNotNull(nameof(listener))]
    public void Open()
    {
        listener = new TcpListener(IPAddress.Loopback, port);
        listener.Start();
        _ = AcceptAsync(listener);
    }

    public ValueTask DisposeAsync()
    {
        Close();
        return ValueTask.CompletedTask;
    }

    private async Task AcceptAsync(TcpListener from)
    {
        while (true)
        {
            var near = await from.AcceptTcpClientAsync();
            var far = new TcpClient();
            await far.ConnectAsync(Servers.RabbitMq.Host, Servers.RabbitMq.Port);
            lock (links) links.AddRange([near, far]);
            _ = PumpAsync(near, far);
            _ = PumpAsync(far, near, Delay);
        }
    }

    private static async Task PumpAsync(TcpClient from, TcpClient to, TimeSpan delay = default)
    {
        var buffer = new byte[64 * 1024];
        using (from)
        using (to)
        {
            while (await from.GetStream().ReadAsync(buffer) is > 0 and var count)
            {
                await Task.Delay(delay);
                await to.GetStream().WriteAsync(buffer.AsMemory(0, count));
            }
        }
    }
}
