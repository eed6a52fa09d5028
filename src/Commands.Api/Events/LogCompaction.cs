using ApexShop.Errors;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Removes events that a later event of their aggregate replaces, when that is older than
/// <see cref="EventsOptions.KeepDays"/>, or than a day while the log exceeds <see cref="EventsOptions.KeepBytes"/>. The
/// last event of each aggregate stays, so that the compacted log has every state. All processes do this, a thousand
/// events in a transaction, one of them at a time.
/// </summary>
internal sealed class LogCompaction(
    NpgsqlDataSource database, TimeProvider clock, IOptions<EventsOptions> options, ILogger<LogCompaction> logger)
    : BackgroundService
{
    private const int BatchSize = 1_000;

    private static readonly TimeSpan interval = TimeSpan.FromMinutes(1);

    /// <summary>Removes what can be removed now and returns the number of events.</summary>
    public async Task<long> RunAsync(CancellationToken ct)
    {
        var removed = 0L;
        var began = clock.GetTimestamp();
        while (await KeptDaysAsync(ct) is > 0 and var days && await NextAsync(days, ct) is { } count)
        {
            removed += count;
            // A pause as long as the removal took: for half of the time, commands and readers are not delayed by it.
            await Task.Delay(clock.GetElapsedTime(began), clock, ct);
            began = clock.GetTimestamp();
        }

        if (removed > 0) logger.EventsRemoved(removed);
        return removed;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (!options.Value.RemovesEvents) return;
        using var timer = new PeriodicTimer(interval, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                await RunAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.CompactionInterrupted(exception.Reason, exception.Unexpected);
            }
        }
    }

    // 0: no event is removed. The database removes none that is younger than a day.
    private async Task<int> KeptDaysAsync(CancellationToken ct)
    {
        var (days, bytes) = (options.Value.KeepDays, options.Value.KeepBytes);
        if (bytes == 0) return days;
        await using var command = database.CreateCommand(EventLogSql.BytesToCompact);
        return (long)(await command.ExecuteScalarAsync(ct))! > bytes ? 1 : days;
    }

    // Null at the end, or while another process does it.
    private async Task<long?> NextAsync(int days, CancellationToken ct)
    {
        // By the clock of the database: that of one process may be wrong, and nothing brings removed events back.
        await using var command = database.CreateCommand(
            "SELECT removed FROM shop.compact_log(clock_timestamp() - make_interval(days => $1), $2)");
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = days });
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = BatchSize });
        return await command.ExecuteScalarAsync(ct) as long?;
    }
}
