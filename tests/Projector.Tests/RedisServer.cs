using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests;

/// <summary>A Redis of the test's own, which it may take away and bring back.</summary>
public sealed class RedisServer : IDisposable
{
    private readonly int port = FreePort();
    private Process? process;

    public string Configuration => $"127.0.0.1:{port},connectTimeout=1000";

    public async Task StartAsync()
    {
        string[] arguments = ["--port", $"{port}", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
        process = Process.Start(new ProcessStartInfo("redis-server", arguments) { RedirectStandardOutput = true });
        await Eventually.Holds(AnswersAsync, "Redis answers");
    }

    public void Stop()
    {
        process?.Kill();
        process?.WaitForExit();
        process?.Dispose();
        process = null;
    }

    public void Dispose() => Stop();

    private async Task<bool> AnswersAsync()
    {
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(IPAddress.Loopback, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
