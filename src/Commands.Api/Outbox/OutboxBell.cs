using System.Threading.Channels;
using ApexShop.Commands.Api.Hosting;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Wakes the leader, in whatever process it is, after a commit. No trigger does it: a transaction that notifies holds a
/// lock of the whole server until its commit is on the disk, and all commits would stand in one line. A bell that is not
/// heard costs a delay and no event: the leader also looks by itself, every PollInterval.
/// </summary>
internal sealed class OutboxBell(NpgsqlDataSource connections, TimeProvider clock, ILogger<OutboxBell> logger) : BackgroundService
{
    // Under load one notification speaks for all the commits of so long; the first after a silence does not wait.
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(5);

    private readonly Channel<bool> rung = Channel.CreateBounded<bool>(new BoundedChannelOptions(1)
    {
        FullMode = BoundedChannelFullMode.DropWrite,
        SingleReader = true,
    });

    /// <summary>Called after the commit: a leader that came before it would find nothing.</summary>
    public void Ring() => rung.Writer.TryWrite(true);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await foreach (var _ in rung.Reader.ReadAllAsync(stoppingToken))
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

            await Task.Delay(pause, clock, stoppingToken);
        }
    }
}
