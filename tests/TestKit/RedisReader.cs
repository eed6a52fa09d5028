using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace ApexShop.TestKit;

/// <summary>Reads everything that a Redis of this machine stores.</summary>
public sealed class RedisReader(int port, string password = "")
{
    /// <summary>The keys that match a pattern of Redis.</summary>
    public async Task<IReadOnlyList<string>> KeysAsync(string pattern)
    {
        using var client = new TcpClient();
        using var reader = await SendAsync(client, Command("KEYS", pattern));
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
        var keys = await KeysAsync("*");
        var requests = string.Concat(keys.SelectMany(key => (string[])
        [
            Command("GET", key), Command("HGETALL", key), Command("SMEMBERS", key), Command("ZRANGE", key, "0", "-1"),
        ]));
        using var client = new TcpClient();
        using var reader = await SendAsync(client, requests + Command("QUIT"));
        return string.Join('\n', keys) + await reader.ReadToEndAsync();
    }

    private static string Command(params string[] words) => string.Concat(
        words.Select(word => $"${Encoding.UTF8.GetByteCount(word)}\r\n{word}\r\n").Prepend($"*{words.Length}\r\n"));

    private async Task<StreamReader> SendAsync(TcpClient client, string requests)
    {
        await client.ConnectAsync(IPAddress.Loopback, port);
        var all = password == "" ? requests : Command("AUTH", password) + requests;
        await client.GetStream().WriteAsync(Encoding.UTF8.GetBytes(all));
        var reader = new StreamReader(client.GetStream(), Encoding.Latin1);
        if (password != "") await reader.ReadLineAsync();
        return reader;
    }
}
