using System.Globalization;
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

    public string Configuration => $"127.0.0.1:{port},connectTimeout=1000";

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
    public async Task<IReadOnlyList<string>> KeysAsync(string pattern)
    {
        using var client = new TcpClient();
        using var reader = await SendAsync(client, $"KEYS {pattern}");
        // "*2", then of each key a line with its length and a line with the key.
        var keys = new string[int.Parse((await reader.ReadLineAsync())!.AsSpan(1), CultureInfo.InvariantCulture)];
        for (var i = 0; i < keys.Length; i++)
        {
            await reader.ReadLineAsync();
            keys[i] = (await reader.ReadLineAsync())!;
        }

        return keys;
    }

    /// <summary>All keys and values as they are stored, with errors where a key has another type.</summary>
    public async Task<string> ContentAsync()
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port);
        var requests = new StringBuilder();
        foreach (var key in await KeysAsync("*"))
        {
            foreach (var read in (string[])["GET {0}", "HGETALL {0}", "SMEMBERS {0}", "ZRANGE {0} 0 -1"])
            {
                var words = read.Split(' ').Select(word => word == "{0}" ? key : word).ToArray();
                requests.Append(CultureInfo.InvariantCulture, $"*{words.Length}\r\n");
                foreach (var word in words)
                    requests.Append(
                        CultureInfo.InvariantCulture, $"${Encoding.UTF8.GetByteCount(word)}\r\n{word}\r\n");
            }
        }

        await client.GetStream().WriteAsync(Encoding.UTF8.GetBytes($"{requests}QUIT\r\n"));
        using var reader = new StreamReader(client.GetStream(), Encoding.Latin1);
        return string.Join('\n', await KeysAsync("*")) + await reader.ReadToEndAsync();
    }

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
