using System.Text;
using System.Text.Json;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;
using Npgsql;

namespace ApexShop.Simulation.Tests.Writing;

/// <summary>
/// The model of schema shop: rows that are committed, the outbox, the log with its positions, and the leader's lease.
/// Each statement takes effect at once, as its transaction does for others.
/// </summary>
internal sealed class ShopServer(TimeProvider clock)
{
    public const string LogId = "simulated";

    private readonly SortedDictionary<long, OutboxRow> outbox = [];
    private readonly Dictionary<string, long> lastOf = [];
    private readonly List<LogEntry> events = [];
    private long outboxIds;
    private long eventIds;
    private long term;
    private DateTimeOffset expiresAt = DateTimeOffset.MinValue;
    private object? holder;
    private bool isOffered;

    public Server Server { get; } = new("shop", () => new NpgsqlException("The connection is lost."));

    public IReadOnlyList<LogEntry> Events => events;

    public bool HasOutbox => outbox.Count > 0;

    public long Published { get; private set; }

    /// <summary>Called before the cursor moves.</summary>
    public Action<long>? Publishing { get; set; }

    /// <summary>Called after a commit with events, unless the notification is lost.</summary>
    public event Action? Notified;

    public bool IsHolder(object session) => holder == session;

    public void End(object session)
    {
        if (holder == session) holder = null;
    }

    /// <summary>An id that is given before the commit: rows are committed in another order.</summary>
    public long NextOutboxId() => ++outboxIds;

    public void Commit(long outboxId, string type, string resource, IAggregateState state) => outbox[outboxId] = new()
    {
        EventId = new Guid((int)++eventIds, 0, 7, [1, 2, 3, 4, 5, 6, 7, 8]),
        Type = type,
        Resource = resource,
        AggregateId = state.Id,
        Version = state.Version,
        Data = JsonSerializer.Serialize(state, state.GetType(), EventJson.Wire),
    };

    public void Notify() => Notified?.Invoke();

    public TakenLease Take(object session, TimeSpan lease, bool offers, bool reachesBroker)
    {
        var now = clock.GetUtcNow();
        var isFree = holder is null || expiresAt <= now || (isOffered && reachesBroker);
        var wasOffered = isOffered;
        if (!isFree) return new(null, wasOffered, null);
        (holder, expiresAt, isOffered, term) = (session, now + lease, offers, term + 1);
        return new(term, wasOffered, null);
    }

    public long? Move(long ofTerm, int limit, TimeSpan lease, bool offers)
    {
        if (ofTerm != term) return null;
        (expiresAt, isOffered) = (clock.GetUtcNow() + lease, offers);
        var rows = outbox.Take(limit).ToList();
        foreach (var (id, row) in rows)
        {
            outbox.Remove(id);
            var position = events.Count + 1;
            events.Add(new(
                position,
                lastOf.GetValueOrDefault(row.Resource),
                row.EventId,
                row.Type,
                row.Resource,
                row.AggregateId,
                clock.GetUtcNow(),
                null,
                Encoding.UTF8.GetBytes(row.Data)) { LogId = LogId });
            lastOf[row.Resource] = position;
        }

        return rows.Count;
    }

    public List<LogEntry> Read(long after, int limit, string? resource = null) =>
        [.. events.Skip((int)after).Where(one => resource is null || one.Resource == resource).Take(limit)];

    public void MovePublished(long position, long ofTerm)
    {
        if (ofTerm != term) throw new ServerException(new LeaseLostException());
        Publishing?.Invoke(position);
        Published = Math.Max(Published, position);
    }
}
