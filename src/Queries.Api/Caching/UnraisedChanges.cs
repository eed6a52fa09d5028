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
    private const string Sql = $$"""
        SELECT s.epoch, s.pending_tags <> '{}' AND s.xmin IS DISTINCT FROM r.version, s.pending_since,
               extract(epoch FROM clock_timestamp() - s.pending_since)::float8
        FROM {{ReadTables.ProjectionState}} AS s LEFT JOIN {{ReadTables.RaisedTags}} AS r ON true
        """;

    // The caller waits no longer, so that its probes are sent in time.
    private static readonly TimeSpan wait = TimeSpan.FromMilliseconds(400);

    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    private readonly NpgsqlDataSource database = ReadDatabase.Open(
        WithoutCancellation(reading.Value), "state", 1, reading.Value.WaitSeconds, ReadDatabase.ScanSettings);

    private Task? running;
    private long readAt;
    private DateTime? since;

    // Before the first read every change may be one.
    private long? oldest = 0;

    /// <summary>
    /// The tags of every change that was applied before this timestamp are raised. No change is applied to a database
    /// that is unavailable: meanwhile only what was not raised before counts.
    /// </summary>
    public async Task<long> RaisedUntilAsync(CancellationToken ct)
    {
        var isRead = false;
        try
        {
            running ??= ReadAsync();
            await running.WaitAsync(wait, ct);
            isRead = true;
        }
        catch (Exception) when (!ct.IsCancellationRequested)
        {
            // The health check and the requests report a database that is unavailable.
        }

        if (running is { IsCompleted: true }) running = null;
        return oldest ?? (isRead ? readAt : clock.GetTimestamp());
    }

    public ValueTask DisposeAsync() => database.DisposeAsync();

    // A statement that takes too long ends with its connection: the next read opens another one.
    private static string WithoutCancellation(ReadingOptions options) =>
        new NpgsqlConnectionStringBuilder(options.ConnectionString) { CancellationTimeout = -1 }.ConnectionString;

    private async Task ReadAsync()
    {
        var began = clock.GetTimestamp();
        using var delayed = DelayedCancellation.After(limit);
        await using var command = database.CreateCommand(Sql);
        await using var row = await command.ExecuteReaderAsync(delayed.Token);
        if (!await row.ReadAsync(delayed.Token))
            throw new InvalidOperationException($"{ReadTables.ProjectionState} has no row.");
        epoch.Observe(row.GetInt64(0));
        var isPending = row.GetBoolean(1);
        var before = since;
        since = isPending && !row.IsDBNull(2) ? row.GetDateTime(2) : null;
        readAt = began;
        if (!isPending) oldest = null;
        else if (since is null) oldest = 0;
        // Otherwise a clock of the database that was set back would make the change younger.
        else if (since != before || oldest is null)
            oldest = began - (long)(Math.Max(0, row.GetDouble(3)) * clock.TimestampFrequency);
    }
}
