using Npgsql;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// The connections for chunks of one kind. A chunk waits for its turn here and not in Npgsql, because Npgsql has one
/// time limit for this wait, for a new connection and for a cancellation; the last two must not take long.
/// </summary>
internal sealed class StreamPool(NpgsqlDataSource source, int connections) : IAsyncDisposable
{
    // Not disposed of: it has no handle, and a chunk may still end while the process stops.
    private readonly SemaphoreSlim free = new(connections);

    public NpgsqlDataSource Source => source;

    /// <summary>
    /// Takes a turn, which also disposes of <paramref name="place"/> at its end; null if no turn was free in time.
    /// </summary>
    public async Task<IDisposable?> TakeAsync(IDisposable? place, TimeSpan longestWait, CancellationToken ct) =>
        await free.WaitAsync(longestWait, ct) ? new Turn(free, place) : null;

    public ValueTask DisposeAsync() => source.DisposeAsync();

    private sealed class Turn(SemaphoreSlim free, IDisposable? place) : IDisposable
    {
        public void Dispose()
        {
            free.Release();
            place?.Dispose();
        }
    }
}
