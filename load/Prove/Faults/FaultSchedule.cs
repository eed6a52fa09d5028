using System.Collections.Concurrent;
using System.Net.Sockets;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;
using Npgsql;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Prove.Faults;

/// <summary>
/// Injects the faults of each list one after the other, and the lists at the same time, until the load ends. Order and
/// targets follow from the seed; the first turn of a list has each of its faults once.
/// </summary>
internal sealed class FaultSchedule(
    IReadOnlyList<IReadOnlyList<Fault>> lists,
    IShopControl control,
    ShopAddresses shop,
    int seed,
    Func<long> now,
    Action<string> report)
{
    private const int ShortestPause = 300;
    private const int LongestPause = 2000;

    private readonly ConcurrentQueue<InjectedFault> injected = new();
    private readonly ConcurrentQueue<OperatorReply> operated = new();

    /// <summary>The faults that were injected, with the exception of those that failed.</summary>
    public IReadOnlyList<InjectedFault> Injected => [.. injected];

    /// <summary>The answers to what an operator did.</summary>
    public IReadOnlyList<OperatorReply> Operated => [.. operated];

    public Task RunAsync(CancellationToken ct) => Task.WhenAll(lists.Select((faults, number) =>
        RunAsync(faults, new Random(unchecked(seed * 31 + number)), ct)));

    private async Task RunAsync(IReadOnlyList<Fault> faults, Random random, CancellationToken ct)
    {
        Fault[] turn = [.. faults.Where(fault => fault.IsPossible(control))];
        while (turn.Length > 0 && !ct.IsCancellationRequested)
        {
            random.Shuffle(turn);
            foreach (var fault in turn)
            {
                await PauseAsync(random, ct);
                if (ct.IsCancellationRequested) break;
                report($"fault {fault.Name}");
                await InjectAsync(fault, random);
            }
        }
    }

    private static async Task PauseAsync(Random random, CancellationToken ct)
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

    // A fault on a server that another fault has broken may fail; the run goes on without it, and says so.
    private async Task InjectAsync(Fault fault, Random random)
    {
        var start = now();
        try
        {
            await fault.InjectAsync(new(control, shop, random, operated.Enqueue));
            injected.Enqueue(new(fault.Name, start, now()));
        }
        catch (Exception failed) when (failed is HttpRequestException or IOException or SocketException
            or NpgsqlException or TaskCanceledException or TimeoutException or RabbitMQClientException)
        {
            report($"fault {fault.Name} was not possible: {failed.Message}");
        }
    }
}
