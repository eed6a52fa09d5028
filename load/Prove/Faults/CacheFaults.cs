using System.Net.Sockets;
using System.Text;

namespace ApexShop.Prove.Faults;

/// <summary>Commands to Redis that lose data, connections or time.</summary>
internal static class CacheFaults
{
    private static readonly TimeSpan full = TimeSpan.FromSeconds(3);

    public static IEnumerable<Fault> All =>
    [
        Of("redis-flush", "FLUSHALL", "FLUSHALL"),
        Of("redis-cut-clients", "ends all connections of clients", "CLIENT KILL TYPE normal"),
        Of("redis-cut-subscribers", "ends all connections of subscribers", "CLIENT KILL TYPE pubsub"),
        Of("redis-pause", "CLIENT PAUSE for 1.5 s", "CLIENT PAUSE 1500"),
        new("redis-full", "no memory for writes, for three seconds", control => control.Redis is not null, FillAsync)
            { IsExclusive = true },
    ];

    private static Fault Of(string name, string text, string command) => new(
        name, text, control => control.Redis is not null, context => SendAsync(context, command));

    private static async Task FillAsync(FaultContext context)
    {
        await SendAsync(context, "CONFIG SET maxmemory-policy noeviction", "CONFIG SET maxmemory 1");
        try
        {
            await Task.Delay(full);
        }
        finally
        {
            await SendAsync(context, "CONFIG SET maxmemory 0");
        }
    }

    private static async Task SendAsync(FaultContext context, params string[] commands)
    {
        var (host, port, password) = context.Control.Redis!.Value;
        using var client = new TcpClient();
        await client.ConnectAsync(host, port);
        using var reader = new StreamReader(client.GetStream(), Encoding.ASCII);
        foreach (var command in commands.Prepend($"AUTH {password}"))
        {
            await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes($"{command}\r\n"));
            if (await reader.ReadLineAsync() is ['-', ..] refused) throw new IOException(refused);
        }
    }
}
