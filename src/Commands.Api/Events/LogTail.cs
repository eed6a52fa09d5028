using System.Security.Claims;
using System.Threading.RateLimiting;
using ApexShop.Errors;
using ApexShop.Events;
using ApexShop.Hosting;
using ApexShop.Limits;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Reads the end of the event log once for all followers of this process, whether it is the leader or not: the
/// sequencer notifies when it commits. A lost notification delays an event but never loses it. Without followers
/// nothing is read.
/// </summary>
internal sealed class LogTail(
    EventLogConnections connections, EventLogReader log, TimeProvider clock, IOptions<EventsOptions> options,
    ILogger<LogTail> logger)
    : BackgroundService
{
    /// <summary>The notification that persons were removed from events of the log.</summary>
    public const string Erased = "erased";

    private static readonly TimeSpan retry = TimeSpan.FromSeconds(1);

    private readonly FollowerLimit followers = new(options.Value.Followers);
    private TaskCompletionSource moved = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when the buffer has new events; to be taken before the buffer is read.</summary>
    public Task Moved => Volatile.Read(ref moved).Task;

    public TailBuffer Buffer { get; } = new(options.Value.TailEvents, TailBuffer.MostBytes);

    /// <summary>Registers a follower until the lease is disposed; with too many it is not acquired.</summary>
    public RateLimitLease TryFollow(ClaimsPrincipal caller) => followers.Take(caller);

    public override void Dispose()
    {
        followers.Dispose();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var isUnavailable = false;
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await using var connection = await connections.OpenAsync(stoppingToken);
                await using (var listen = new NpgsqlCommand("LISTEN apexshop_log", connection))
                    await listen.ExecuteNonQueryAsync(stoppingToken);
                isUnavailable = false;
                await FollowAsync(connection, stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                if (!isUnavailable) logger.LogTailUnavailable(exception.Reason, exception.Unexpected);
                isUnavailable = true;
                await Task.Delay(retry, clock, stoppingToken).WithoutThrowing();
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    private async Task FollowAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        var (isNotified, isErased) = (false, false);
        connection.Notification += (_, sent) => (isNotified, isErased) = (true, isErased || sent.Payload == Erased);
        // Executed on the listening connection, so that a dead connection is noticed here.
        Buffer.Reset(followers.HasFollowers
            ? await LogHeadReader.ReadCheckedAsync(connection, ct)
            : await LogHeadReader.ReadUncheckedAsync(connection, ct));
        while (true)
        {
            Interlocked.Exchange(ref moved, new(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();
            // A notification received together with the result may be about an event that the result does not include.
            if (!isNotified) await connection.WaitAsync(options.Value.PollInterval, ct);
            var isOutdated = isErased;
            (isNotified, isErased) = (false, false);
            var head = await LogHeadReader.ReadUncheckedAsync(connection, ct);
            // Without followers nothing is sent, so nothing is checked.
            if (!followers.HasFollowers) Buffer.Reset(head);
            else if (isOutdated) Buffer.Reset(await LogHeadReader.ReadCheckedAsync(connection, ct));
            else if (head.Position != Buffer.Last || head.LogId != Buffer.LogId)
                await AdvanceAsync(await LogHeadReader.ReadCheckedAsync(connection, ct), ct);
        }
    }

    private async Task AdvanceAsync(LogHead head, CancellationToken ct)
    {
        var last = Buffer.Last;
        var isReplaced = head.LogId != Buffer.LogId || head.Position < last;
        if (isReplaced || head.Position - last > Buffer.Capacity)
        {
            Buffer.Reset(head);
            return;
        }

        var range = new EventRange(EventFilter.None, head.Position, IsCompacted: false);
        var fitting = EventLogReader.PageSize;
        while (Buffer.Last < head.Position)
        {
            var page = await log.ReadAsync(
                range, Buffer.Last, EventLogReader.PageSize, fitting, EventLogReader.PageBytes, ct);
            fitting = page.NextSize;
            Buffer.Append(page.Entries.Select(entry => new LiveEvent(entry)).ToList());
            // The events before it were perhaps read with the person; followers read them from the log again.
            if (page.Entries.Any(entry => entry.Type == EventTypes.UserErased))
                Buffer.Reset(head with { Position = Buffer.Last });
        }
    }
}
