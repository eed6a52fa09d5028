using ApexShop.Projector.CacheInvalidation;
using ApexShop.Queries.Api.Caching;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Planted;
using Npgsql;

namespace ApexShop.Simulation.Tests.Reading;

/// <summary>The row of a document, or its tombstone.</summary>
internal sealed record DocumentRow(long Version, int Category, string Shown, long Revision, bool IsDeleted);

/// <summary>A row before and after a commit.</summary>
internal sealed record RowChange(string Resource, int Id, DocumentRow? Before, DocumentRow After);

/// <summary>
/// The model of schema read: documents, checkpoints, and the row with the pending tags, which one transaction at a time
/// has locked. What a transaction writes is there for others after its commit, and never without it.
/// </summary>
internal sealed class ReadServer(TimeProvider clock, Bugs? bugs = null)
{
    private static readonly TimeSpan usual = TimeSpan.FromSeconds(1);

    private readonly Queue<(ReadTransaction Transaction, Action Locked)> waiting = new();
    private uint transactions;
    private uint version;
    private uint raisedVersion;
    private string[] pending = [];
    private DateTime? since;
    private long lateUntil;
    private ReadTransaction? holder;

    public Server Server { get; } = new("read", () => new NpgsqlException("The connection is lost."));

    public SortedDictionary<(string Resource, int Id), DocumentRow> Documents { get; } = [];

    public Dictionary<string, (long Position, Guid? Id)> Checkpoints { get; } =
        Resources.Resource.Names.ToDictionary(name => name, _ => (0L, (Guid?)null));

    public long Revision { get; private set; }

    public bool HasPending => pending.Length > 0;

    /// <summary>Called after each commit, with the rows that it wrote.</summary>
    public Action<IReadOnlyList<RowChange>>? Committed { get; set; }

    /// <summary>Called with the tags that are deleted, since they are raised.</summary>
    public Action<string[]>? Cleared { get; set; }

    private bool AreTagsLate => pending.Length > 0 && Now - since > usual;

    private DateTime Now => clock.GetUtcNow().UtcDateTime;

    public void Lock(ReadTransaction transaction, Action locked)
    {
        if (holder is not null && holder != transaction && bugs?.LocksNothing is not true)
        {
            waiting.Enqueue((transaction, locked));
            return;
        }

        holder = transaction;
        locked();
    }

    public PendingTags Pending() => new(pending, pending.Length == 0 ? null : since, version, Now);

    public long NextRevision() => ++Revision;

    public PendingTags Commit(ReadTransaction transaction, PendingTags tags)
    {
        var changes = transaction.Written.Select(written => new RowChange(
            written.Key.Resource, written.Key.Id, Documents.GetValueOrDefault(written.Key), written.Value)).ToList();
        foreach (var (key, row) in transaction.Written) Documents[key] = row;
        foreach (var (resource, reached) in transaction.Reached) Checkpoints[resource] = reached;
        var oldest = tags.SinceOrNever < Now ? tags.SinceOrNever : Now;
        (pending, since, version) = ([.. tags.Tags], oldest, ++transactions);
        Committed?.Invoke(changes);
        End(transaction);
        return tags with { Since = oldest, Version = version, At = Now };
    }

    /// <summary>Ends a transaction, whose lock the next one gets.</summary>
    public void End(ReadTransaction transaction)
    {
        transaction.IsEnded = true;
        if (holder != transaction) return;
        holder = null;
        while (holder is null && waiting.TryDequeue(out var next))
        {
            if (!next.Transaction.IsEnded) Lock(next.Transaction, next.Locked);
        }
    }

    /// <summary>The server restarts, and its sessions end.</summary>
    public void EndHolder()
    {
        if (holder is not null) End(holder);
    }

    public void Clear(PendingTags raised)
    {
        raisedVersion = raised.Version;
        transactions++;
        if (version != raised.Version || holder is not null) return;
        if (AreTagsLate) lateUntil = clock.GetTimestamp();
        Cleared?.Invoke(pending);
        (pending, since, version) = ([], null, transactions);
    }

    /// <summary>Whether at this time or later tags were pending for longer than they usually are.</summary>
    public bool WereTagsLateSince(long time) => AreTagsLate || lateUntil >= time;

    public PendingChanges PendingChanges()
    {
        var isPending = pending.Length > 0 && version != raisedVersion;
        return new(1, isPending, since, since is { } from ? (Now - from).TotalSeconds : 0);
    }
}
