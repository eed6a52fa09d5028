using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Reads the end of the log once for all who follow it in this process, leader or not: the sequencer's statement notifies
/// with its commit. A notification that got lost costs a delay and no event. While nobody follows nothing is read.
/// </summary>
internal sealed class LogTail(
    FeedConnections connections, EventFeed feed, TimeProvider clock, IOptions<EventsOptions> options, ILogger<LogTail> logger) : BackgroundService
{
    private static readonly EventFilter everything = new(null, null, null);
    private static readonly TimeSpan retry = TimeSpan.FromSeconds(1);

    private readonly TailBuffer buffer = new(options.Value.TailEvents);
    private TaskCompletionSource moved = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int followers;

    /// <summary>Completes when the buffer has moved on; to be taken before the buffer is looked at.</summary>
    public Task Moved => Volatile.Read(ref moved).Task;

    public TailBuffer Buffer => buffer;

    /// <summary>A place among those who follow, to be given back; null when all are taken.</summary>
    public IDisposable? TryFollow()
    {
        if (Interlocked.Increment(ref followers) <= options.Value.Followers) return new Following(this);
        Interlocked.Decrement(ref followers);
        return null;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var isUnavailable = false;
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await using var connection = await connections.OpenAsync(stoppingToken);
                await using (var listen = new NpgsqlCommand("LISTEN apexshop_log", connection)) await listen.ExecuteNonQueryAsync(stoppingToken);
                isUnavailable = false;
                await FollowAsync(connection, stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                if (!isUnavailable) logger.TailBroken(exception);
                isUnavailable = true;
                await Task.Delay(retry, clock, stoppingToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    private async Task FollowAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        var isNotified = false;
        connection.Notification += (_, _) => isNotified = true;
        // On the connection that listens: one that is dead without having said so fails here.
        await using var ask = new NpgsqlCommand(FeedSql.Head, connection);
        buffer.Reset((long)(await ask.ExecuteScalarAsync(ct))!);
        while (true)
        {
            Interlocked.Exchange(ref moved, new(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();
            // One that came with the answer may speak of an event that the answer did not see.
            if (!isNotified) await connection.WaitAsync(options.Value.PollInterval, ct);
            isNotified = false;
            await AdvanceAsync((long)(await ask.ExecuteScalarAsync(ct))!, ct);
        }
    }

    private async Task AdvanceAsync(long head, CancellationToken ct)
    {
        var last = buffer.Last;
        if (Volatile.Read(ref followers) == 0 || head < last || head - last > buffer.Capacity)
        {
            buffer.Reset(head);
            return;
        }

        while (buffer.Last < head)
        {
            var part = await feed.ReadAsync(new FeedRange(everything, head, IsCompacted: false), buffer.Last, EventFeed.Chunk, ct);
            buffer.Append(part.Entries.Select(entry => new TailEntry(entry)).ToList());
        }
    }

    private sealed class Following(LogTail tail) : IDisposable
    {
        private int isOver;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref isOver, 1) == 0) Interlocked.Decrement(ref tail.followers);
        }
    }
}
