using System.Diagnostics;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The connections of one kind of search. A search that waited for one in vain has an error of its own, which is not
/// that of a database that does not respond.
/// </summary>
/// <param name="source">The pool; PostgreSQL ends its statements after <c>Reading:SearchSeconds</c>.</param>
/// <param name="connections">Most searches at a time.</param>
/// <param name="reading">How long a search waits, and how long it may run.</param>
/// <param name="isPaced">
/// Whether a connection is left unused after a search for as long as the search took, up to <see cref="longestPause"/>:
/// short searches that follow each other then take at most half of a processor for each connection.
/// </param>
internal sealed class SearchPool(
    NpgsqlDataSource source, int connections, ReadingOptions reading, bool isPaced = false) : IAsyncDisposable
{
    private static readonly TimeSpan longestPause = TimeSpan.FromMilliseconds(50);

    /// <summary>How much later than its time limit PostgreSQL may end a statement on a machine under load.</summary>
    public static readonly TimeSpan Tolerance = TimeSpan.FromSeconds(1);

    // How much before its time limit a statement may seem to end: PostgreSQL and this process have two clocks.
    private static readonly TimeSpan early = TimeSpan.FromMilliseconds(50);

    private readonly TimeSpan wait = TimeSpan.FromSeconds(reading.WaitSeconds);
    private readonly TimeSpan limit = TimeSpan.FromSeconds(reading.SearchSeconds);

    // Not disposed of: it has no handle, and a search may still release its place while the process stops.
    private readonly SemaphoreSlim free = new(connections);

    public async Task<T> RunAsync<T>(Func<NpgsqlDataSource, Task<T>> read, CancellationToken ct)
    {
        if (!await free.WaitAsync(wait, ct)) throw new SearchBusyException();
        var began = Stopwatch.GetTimestamp();
        try
        {
            return await read(source);
        }
        catch (PostgresException cancelled) when (cancelled.SqlState == PostgresErrorCodes.QueryCanceled)
        {
            throw OfCancelled(cancelled, Stopwatch.GetElapsedTime(began), limit);
        }
        finally
        {
            if (isPaced) _ = ReleaseAfterPauseAsync(Stopwatch.GetElapsedTime(began));
            else free.Release();
        }
    }

    /// <summary>
    /// The exception for a statement that PostgreSQL cancelled. The statement was too expensive if that was at its time
    /// limit. Before the limit an operator cancelled it, and long after it PostgreSQL had been suspended.
    /// </summary>
    public static Exception OfCancelled(PostgresException cancelled, TimeSpan passed, TimeSpan limit) =>
        passed >= limit - early && passed <= limit + Tolerance
            ? new SearchTooExpensiveException(cancelled)
            : new NpgsqlException("PostgreSQL cancelled the statement, and not at its time limit.", cancelled);

    public ValueTask DisposeAsync() => source.DisposeAsync();

    private async Task ReleaseAfterPauseAsync(TimeSpan used)
    {
        // A timer counts whole milliseconds, and most deep pages take less than one.
        var pause = Math.Ceiling(Math.Min(used.TotalMilliseconds, longestPause.TotalMilliseconds));
        await Task.Delay(TimeSpan.FromMilliseconds(pause));
        free.Release();
    }
}

/// <summary>All connections of this kind of search were in use for too long.</summary>
internal sealed class SearchBusyException() : Exception("No connection for a search was free in time.");
