namespace ApexShop.Events.Client;

/// <summary>
/// The consumer's own database. <see cref="PostgresStore"/> is one for PostgreSQL. Transactions must exclude each
/// other, also those of several instances of the consumer.
/// </summary>
public interface IConsumerStore
{
    /// <summary>Begins a transaction, after every other one of this consumer has ended.</summary>
    Task<IConsumerTransaction> BeginAsync(CancellationToken ct);
}

/// <summary>
/// A transaction of the consumer's database: what events change in it, up to where they are applied, and which are
/// parked. Disposed without <see cref="CommitAsync"/>, it has changed nothing.
/// </summary>
public interface IConsumerTransaction : IAsyncDisposable
{
    /// <summary>
    /// The position of each resource, as the last commit saved all its members; changes are saved by the commit.
    /// </summary>
    Dictionary<string, LogPosition> Positions { get; }

    /// <summary>The subjects of the parked events.</summary>
    IReadOnlySet<string> ParkedSubjects { get; }

    /// <summary>
    /// Changes the consumer's data as the event requires. An exception refuses the event, unless it is, or has inside
    /// it, a <see cref="System.Data.Common.DbException"/> that is transient: the event is then tried again without end.
    /// </summary>
    Task ApplyAsync(ShopEvent change, CancellationToken ct);

    /// <summary>
    /// The log was restored and lacks events that were applied: removes all data that was made from events, all
    /// positions and all parked events. After that the events of the restored log are applied from its beginning.
    /// </summary>
    Task ClearAsync(CancellationToken ct);

    Task ParkAsync(ParkedEvent parked, CancellationToken ct);

    /// <summary>Removes a parked event.</summary>
    Task UnparkAsync(ShopEvent parked, CancellationToken ct);

    /// <summary>Removes all parked events of a subject and returns their number.</summary>
    Task<int> UnparkAllAsync(string subject, CancellationToken ct);

    /// <summary>The parked events of a subject, or of all if it is null, by position.</summary>
    Task<IReadOnlyList<ParkedEvent>> ReadParkedAsync(string? subject, CancellationToken ct);

    Task CommitAsync(CancellationToken ct);
}
