using System.Threading.Channels;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Wakes the leader, in whatever process it is, after a commit. No trigger does it: a transaction that notifies holds a
/// lock of the whole server until its commit is on the disk, and all commits would stand in one line. A signal that is not
/// heard costs a delay and no event: the leader also looks by itself, every PollInterval.
/// </summary>
internal sealed class OutboxSignal(NpgsqlDataSource connections, TimeProvider clock, ILogger<OutboxSignal> logger) : BackgroundService
{
    // One notification speaks for all the commits of a pause; the first after a silence does not wait. When commits come
    // faster than the leader can take them one by one, larger bites cost it, and so everybody, less.
    private const int Many = 8;

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan longPause = TimeSpan.FromMilliseconds(25);

    private readonly Channel<bool> requests = Channel.CreateBounded<bool>(new BoundedChannelOptions(1)
    {
        FullMode = BoundedChannelFullMode.DropWrite,
        SingleReader = true,
    });

    private int commits;

    /// <summary>Called after the commit: a leader that came before it would find nothing.</summary>
    public void Send()
    {
        Interlocked.Increment(ref commits);
        requests.Writer.TryWrite(true);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await foreach (var _ in requests.Reader.ReadAllAsync(stoppingToken))
        {
            try
            {
                await using var command = connections.CreateCommand("NOTIFY apexshop_outbox");
                await command.ExecuteNonQueryAsync(stoppingToken);
            }
            catch (NpgsqlException unheard)
            {
                logger.LeaderNotWoken(unheard);
            }

            await Task.Delay(Interlocked.Exchange(ref commits, 0) > Many ? longPause : pause, clock, stoppingToken);
        }
    }
}
