using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Reads from the database since when the Projector has not raised the tags of a change. It has a connection of its
/// own, so that requests that wait for connections do not make cached responses unusable.
/// </summary>
internal sealed class UnraisedChanges(IOptions<ReadingOptions> reading, ReadEpoch epoch, TimeProvider clock)
    : IAsyncDisposable
{
    private const int LimitSeconds = 1;

    private const string Sql = $$"""
        SELECT s.epoch,
               CASE WHEN s.pending_tags <> '{}' AND s.xmin <> r.version
                    THEN extract(epoch FROM clock_timestamp() - s.pending_since)::float8 END
        FROM {{ReadTables.ProjectionState}} AS s CROSS JOIN {{ReadTables.RaisedTags}} AS r
        """;

    private readonly NpgsqlDataSource database = ReadDatabase.Open(
        reading.Value.ConnectionString, "state", 1, reading.Value.WaitSeconds, ReadDatabase.ScanSettings);

    // Before the first read every change may be one.
    private long? oldest = 0;

    /// <summary>The tags of every change that was applied before this timestamp are raised.</summary>
    public async Task<long> RaisedUntilAsync(CancellationToken ct)
    {
        var began = clock.GetTimestamp();
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(TimeSpan.FromSeconds(LimitSeconds));
        try
        {
            // The read itself may end later, when a database that does not respond has been cancelled.
            oldest = await OldestAsync(limit.Token).WaitAsync(limit.Token) is { } age
                ? began - (long)(Math.Max(0, age) * clock.TimestampFrequency)
                : null;
        }
        catch (Exception) when (!ct.IsCancellationRequested)
        {
            // No change is applied to a database that is unavailable, and cached responses are all that is left. What
            // was not raised before still is not.
        }

        return oldest ?? began;
    }

    public ValueTask DisposeAsync() => database.DisposeAsync();

    private async Task<double?> OldestAsync(CancellationToken ct)
    {
        using var delayed = new DelayedCancellation(TimeSpan.Zero, ct);
        await using var command = database.CreateCommand(Sql);
        await using var row = await command.ExecuteReaderAsync(delayed.Token);
        if (!await row.ReadAsync(delayed.Token)) return null;
        epoch.Observe(row.GetInt64(0));
        return row.IsDBNull(1) ? null : row.GetDouble(1);
    }
}
