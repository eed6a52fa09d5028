using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Reads the end of the event log from the primary only: another server may have events that the log will never have,
/// or lack some that it has.
/// </summary>
internal sealed class LogHeadReader(EventLogConnections connections) : IDisposable
{
    // How long a check waits for the replica.
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(20);

    private readonly SemaphoreSlim checking = new(1);

    // The last head that the primary had.
    private volatile LogHead? known;

    public void Dispose() => checking.Dispose();

    /// <summary>The identity of the log, and the position of its last event.</summary>
    /// <param name="after">
    /// The position after which the request begins; a log that ends before it is checked again.
    /// </param>
    /// <param name="ct">Cancels the statements.</param>
    /// <exception cref="NpgsqlException">The replica does not respond.</exception>
    public async Task<LogHead> ReadAsync(long after, CancellationToken ct)
    {
        await using (var connection = await connections.OpenAsync(ct))
        {
            if (await FindKnownAsync(connection, after, ct) is { } found) return found;
        }

        // One check at a time: the others need no connection, and mostly find what it has found.
        if (!await checking.WaitAsync(limit, ct)) throw NotConfirmed();
        try
        {
            await using var connection = await connections.OpenAsync(ct);
            if (await FindKnownAsync(connection, after, ct) is { } found) return found;
            return known = await ReadCheckedAsync(connection, ct);
        }
        finally
        {
            checking.Release();
        }
    }

    /// <summary>The same on a connection; it is always checked.</summary>
    /// <exception cref="NpgsqlException">The replica does not respond.</exception>
    public static async Task<LogHead> ReadCheckedAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limited.CancelAfter(limit);
        await using var command = new NpgsqlCommand(EventLogSql.CheckedHead, connection) { CommandTimeout = 0 };
        try
        {
            var head = await LogHead.ReadAsync(command, limited.Token);
            // PostgreSQL ends the wait of a statement that is cancelled as if the replica had responded.
            limited.Token.ThrowIfCancellationRequested();
            return head;
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw NotConfirmed();
        }
    }

    /// <summary>The head that the server of the connection has, be it the primary or not.</summary>
    public static async Task<LogHead> ReadUncheckedAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(EventLogSql.Head, connection);
        return await LogHead.ReadAsync(command, ct);
    }

    private static NpgsqlException NotConfirmed() =>
        new("The end of the log was not confirmed in time.", new TimeoutException());

    private async Task<LogHead?> FindKnownAsync(NpgsqlConnection connection, long after, CancellationToken ct)
    {
        var head = await ReadUncheckedAsync(connection, ct);
        return head == known && after <= head.Position ? head : null;
    }
}
