using System.Net.Sockets;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;
using Npgsql;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Prove.Faults;

/// <summary>
/// Injects faults one after the other until the load ends. Their order and their targets follow from the seed; the
/// first turns have every selected fault once.
/// </summary>
internal sealed class FaultSchedule(
    IReadOnlyList<Fault> faults,
    IShopControl control,
    ShopAddresses shop,
    int seed,
    Func<long> now,
    Action<string> report)
{
    private const int ShortestPause = 300;
    private const int LongestPause = 2000;

    private readonly Random random = new(unchecked(seed * 31));

    /// <summary>The faults that were injected, with the exception of those that failed.</summary>
    public List<InjectedFault> Injected { get; } = [];

    public async Task RunAsync(CancellationToken ct)
    {
        Fault[] turn = [.. faults.Where(fault => fault.IsPossible(control))];
        while (turn.Length > 0 && !ct.IsCancellationRequested)
        {
            random.Shuffle(turn);
            foreach (var fault in turn)
            {
                await PauseAsync(ct);
                if (ct.IsCancellationRequested) break;
                report($"fault {fault.Name}");
                await InjectAsync(fault);
            }
        }
    }

    private async Task PauseAsync(CancellationToken ct)
    {
        try
        {
            await Task.Delay(random.Next(ShortestPause, LongestPause), ct);
        }
        catch (OperationCanceledException)
        {
            // The load has ended.
        }
    }

    // A fault on a server that an earlier fault has just broken may fail; the run goes on without it, and says so.
    private async Task InjectAsync(Fault fault)
    {
        var start = now();
        try
        {
            await fault.InjectAsync(new(control, shop, random));
            Injected.Add(new(fault.Name, start, now()));
        }
        catch (Exception failed) when (failed is HttpRequestException or IOException
            or SocketException or NpgsqlException or TaskCanceledException or RabbitMQClientException)
        {
            report($"fault {fault.Name} was not possible: {failed.Message}");
        }
    }
}
