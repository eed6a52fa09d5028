using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>The line to the broker, which a test can cut, mend and freeze.</summary>
internal sealed class BrokerLine : IAsyncDisposable
{
    private readonly ConcurrentBag<TcpClient> calls = [];
    private readonly int port = Loopback.FreePort();
    private TcpListener listener;
    private Task accepting;

    public BrokerLine() => Mend();

    private volatile bool isFrozen;

    public Uri Url => new UriBuilder(Servers.RabbitMq) { Host = "127.0.0.1", Port = port }.Uri;

    public async Task CutAsync()
    {
        listener.Stop();
        await accepting;
        while (calls.TryTake(out var call)) call.Dispose();
    }

    /// <summary>Nothing arrives any more at either end, while the connections stay open.</summary>
    public void Freeze() => isFrozen = true;

    [MemberNotNull(nameof(listener), nameof(accepting))]
    public void Mend()
    {
        listener = new TcpListener(IPAddress.Loopback, port);
        listener.Start();
        accepting = AcceptAsync(listener);
    }

    public async ValueTask DisposeAsync() => await CutAsync();

    private async Task AcceptAsync(TcpListener accepter)
    {
        try
        {
            for (;;) _ = CarryAsync(await accepter.AcceptTcpClientAsync());
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The line is cut.
        }
    }

    private async Task CarryAsync(TcpClient near)
    {
        using var far = new TcpClient();
        calls.Add(near);
        calls.Add(far);
        try
        {
            await far.ConnectAsync(Servers.RabbitMq.Host, Servers.RabbitMq.Port);
            var (nearStream, farStream) = (near.GetStream(), far.GetStream());
            var fromBroker = CopyAsync(farStream, nearStream);
            await Task.WhenAny(CopyAsync(nearStream, farStream), fromBroker);
            // A process that hangs closes nothing, whatever its client does here.
            if (isFrozen) await fromBroker;
        }
        catch (Exception exception) when (
            exception is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // Cut in the middle of a word.
        }

        near.Dispose();
    }

    private async Task CopyAsync(NetworkStream from, NetworkStream to)
    {
        var buffer = new byte[1 << 16];
        while (await from.ReadAsync(buffer) is var read and > 0)
        {
            if (!isFrozen) await to.WriteAsync(buffer.AsMemory(0, read));
        }
    }
}
