using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// One of all processes leads: its session holds an advisory lock, the sequencer runs on the same connection, and the
/// publisher beside it. When either ends, the lock is released, and the first process that asks for it leads.
/// </summary>
internal sealed class OutboxLeader(
    LeaderConnections connections,
    Sequencer sequencer,
    EventPublisher publisher,
    OutboxStatus status,
    TimeProvider clock,
    IOptions<OutboxOptions> options,
    ILogger<OutboxLeader> logger) : BackgroundService
{
    /// <summary>Key of the lock; one lock per database.</summary>
    public const long LockKey = 0x41706578_4C6F6731;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var failing = false;
        publisher.Connect();
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await using var connection = await connections.OpenAsync(stoppingToken);
                while (!await TryLockAsync(connection, stoppingToken))
                {
                    failing = false;
                    await Task.Delay(options.Value.LeaderRetry, clock, stoppingToken);
                }

                failing = false;
                logger.LeadershipTaken();
                await LeadAsync(connection, stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                if (!failing) logger.LeadershipLost(exception);
                failing = true;
                await Task.Delay(options.Value.LeaderRetry, clock, stoppingToken);
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    private async Task LeadAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        using var term = CancellationTokenSource.CreateLinkedTokenSource(ct);
        status.IsLeader = true;
        var sequencing = sequencer.RunAsync(connection, term.Token);
        var publishing = publisher.RunAsync(term.Token);
        try
        {
            await await Task.WhenAny(sequencing, publishing);
        }
        finally
        {
            status.IsLeader = false;
            status.Broker = BrokerState.Unknown;
            await term.CancelAsync();
            await Task.WhenAll(sequencing, publishing).ContinueWith(static _ => { }, TaskScheduler.Default);
        }
    }

    private static async Task<bool> TryLockAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand("SELECT pg_try_advisory_lock($1)", connection);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = LockKey });
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }
}
