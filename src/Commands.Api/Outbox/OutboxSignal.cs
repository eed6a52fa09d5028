using System.Threading.Channels;
using ApexShop.Errors;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Wakes the leader, in any process, by NOTIFY after a commit. A trigger would notify inside the transaction, which
/// then holds a lock of the whole server until its commit is on the disk: all commits would wait for each other. A lost
/// signal only causes a delay, since the leader also polls every <see cref="OutboxOptions.PollInterval"/>.
/// </summary>
internal sealed class OutboxSignal(NpgsqlDataSource connections, TimeProvider clock, ILogger<OutboxSignal> logger)
    : BackgroundService
{
    // One notification stands for all commits of a pause; the first commit after an idle time is signalled immediately.
    // With many commits a longer pause gives the leader larger batches, which cost less.
    private const int ManyCommits = 8;

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan longPause = TimeSpan.FromMilliseconds(25);

    private readonly Channel<bool> requests = Channel.CreateBounded<bool>(new BoundedChannelOptions(1)
    {
        FullMode = BoundedChannelFullMode.DropWrite,
        SingleReader = true,
    });

    private int commits;

    /// <summary>Must be called after the commit: before it the leader would find no rows.</summary>
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
            // Also a bare TimeoutException, of a name that was not resolved in time.
            catch (Exception notSent) when (!stoppingToken.IsCancellationRequested)
            {
                logger.LeaderNotWoken(notSent.Reason, notSent.Unexpected);
            }

            var isBusy = Interlocked.Exchange(ref commits, 0) > ManyCommits;
            await Task.Delay(isBusy ? longPause : pause, clock, stoppingToken);
        }
    }
}
