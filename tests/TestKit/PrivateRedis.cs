using System.Net;
using System.Net.Sockets;

namespace ApexShop.TestKit;

/// <summary>
/// A Redis of one test, which may stop and restart it on the same port, without its data.
/// </summary>
public sealed class PrivateRedis : IDisposable
{
    private readonly int port = Loopback.FreePort();
    private readonly ServerProcess process;

    public PrivateRedis()
    {
        string[] arguments = ["--port", $"{port}", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
        process = new ServerProcess("redis", "redis-server", arguments, new Dictionary<string, string>());
    }

    public string Configuration => $"127.0.0.1:{port},connectTimeout=1000";

    public async Task StartAsync()
    {
        process.Start();
        await process.ReadyAsync(AnswersAsync, TimeSpan.FromSeconds(30));
    }

    public Task StopAsync() => process.KillAsync();

    public void Dispose() => process.Dispose();

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
}
