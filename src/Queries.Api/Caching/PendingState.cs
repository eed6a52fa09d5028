using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Caching;

/// <summary>Reads whether cache tags are pending.</summary>
internal interface IPendingState
{
    Task<PendingChanges> ReadAsync();
}

/// <summary>
/// The epoch; whether tags are pending that no Projector has raised; since when, and for how many seconds.
/// </summary>
internal readonly record struct PendingChanges(long Epoch, bool IsPending, DateTime? Since, double Age);

/// <summary>
/// Reads the state of the projection. It has a connection of its own, so that requests that wait for connections do not
/// make cached responses unusable.
/// </summary>
internal sealed class PendingState(IOptions<ReadingOptions> reading) : IPendingState, IAsyncDisposable
{
    private const string Sql = $$"""
        SELECT s.epoch, s.pending_tags <> '{}' AND s.xmin IS DISTINCT FROM r.version, s.pending_since,
               extract(epoch FROM clock_timestamp() - s.pending_since)::float8
        FROM {{ReadTables.ProjectionState}} AS s LEFT JOIN {{ReadTables.RaisedTags}} AS r ON true
        """;

    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    private readonly NpgsqlDataSource database = ReadDatabase.OpenSingle(
        reading.Value.ConnectionString, "state", reading.Value.WaitSeconds);

    public async Task<PendingChanges> ReadAsync()
    {
        using var delayed = DelayedCancellation.After(limit);
        await using var command = database.CreateCommand(Sql);
        await using var row = await command.ExecuteReaderAsync(delayed.Token);
        if (!await row.ReadAsync(delayed.Token))
            throw new InvalidOperationException($"{ReadTables.ProjectionState} has no row.");
        DateTime? since = row.IsDBNull(2) ? null : row.GetDateTime(2);
        return new(row.GetInt64(0), row.GetBoolean(1), since, since is null ? 0 : row.GetDouble(3));
    }

    public ValueTask DisposeAsync() => database.DisposeAsync();
}
