using System.Net;
using System.Net.Sockets;
using System.Text;

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

    public int Port => port;

    /// <summary>For a client that reconnects soon after an outage: a longer limit is a longer pause, too.</summary>
    public string Configuration => $"127.0.0.1:{port},connectTimeout=1000";

    /// <summary>For a client whose first attempt has to succeed, also on a loaded machine.</summary>
    public string SlowConfiguration => $"127.0.0.1:{port},connectTimeout=10000";

    public async Task StartAsync()
    {
        process.Start();
        await process.ReadyAsync(AnswersAsync, TimeSpan.FromSeconds(30));
    }

    /// <summary>SIGSTOP: connections stay open, and nothing is answered.</summary>
    public Task FreezeAsync() => process.SignalAsync("STOP");

    /// <summary>Ends <see cref="FreezeAsync"/>.</summary>
    public Task ContinueAsync() => process.SignalAsync("CONT");

    /// <summary>Runs a command that answers OK.</summary>
    public async Task ExecuteAsync(string command)
    {
        using var client = new TcpClient();
        using var reader = await SendAsync(client, command);
        if (await reader.ReadLineAsync() is var answer && answer != "+OK")
            throw new InvalidOperationException($"Redis answered {answer} to {command}.");
    }

    /// <summary>The keys that match a pattern of Redis.</summary>
    public Task<IReadOnlyList<string>> KeysAsync(string pattern) => new RedisReader(port).KeysAsync(pattern);

    /// <summary>All keys and values as they are stored, with errors where a key has another type.</summary>
    public Task<string> ContentAsync() => new RedisReader(port).ContentAsync();

    public Task StopAsync() => process.KillAsync();

    public void Dispose() => process.Dispose();

    private async Task<StreamReader> SendAsync(TcpClient client, string command)
    {
        await client.ConnectAsync(IPAddress.Loopback, port);
        await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes($"{command}\r\n"));
        return new StreamReader(client.GetStream());
    }

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
