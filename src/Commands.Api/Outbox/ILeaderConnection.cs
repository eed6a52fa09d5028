using ApexShop.Events;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Opens sessions of the database for the leader, or for a process that waits to lead.</summary>
internal interface ILeaderConnections
{
    ValueTask<ILeaderConnection> OpenAsync(CancellationToken ct);
}

/// <summary>A session of the database: its end is the end of the lease that it holds.</summary>
internal interface ILeaderConnection : IAsyncDisposable
{
    /// <summary>Whether a commit of events was notified since this was set to false.</summary>
    bool IsNotified { get; set; }

    /// <summary>Takes the lead when no session holds it, or when it is offered and the broker is reached.</summary>
    Task<TakenLease> TakeAsync(TimeSpan lease, bool isOffered, bool reachesBroker, CancellationToken ct);

    /// <summary>From now on <see cref="WaitAsync"/> ends with a notification.</summary>
    Task ListenAsync(CancellationToken ct);

    /// <summary>Returns with a notification, or after the time limit.</summary>
    Task WaitAsync(TimeSpan limit, CancellationToken ct);

    /// <summary>
    /// Moves rows of the outbox to the log, renews the lease and returns their number; null when the term has ended.
    /// </summary>
    Task<long?> MoveAsync(long term, int limit, TimeSpan lease, bool isOffered, CancellationToken ct);

    /// <summary>
    /// A crash that loses a move of the cursor only repeats messages, so a move need not wait for the disk.
    /// </summary>
    Task DisableSynchronousCommitAsync(CancellationToken ct);

    /// <summary>Entries after a position, ascending.</summary>
    Task<List<LogEntry>> ReadAsync(long after, int limit, CancellationToken ct);

    Task<long> ReadPublishedAsync(CancellationToken ct);

    /// <exception cref="LeaseLostException">Another process has taken the lead.</exception>
    Task MovePublishedAsync(long position, long term, CancellationToken ct);
}

/// <summary>
/// The term, or null when another session holds the lead; whether that one offers it; the identity of the log, if the
/// take-over renewed it.
/// </summary>
internal readonly record struct TakenLease(long? Term, bool IsOffered, string? RenewedLogId);
