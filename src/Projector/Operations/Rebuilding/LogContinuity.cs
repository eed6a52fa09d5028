using System.Globalization;
using ApexShop.Projector.EventLog;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Whether the event log is still the one from which the documents were made. A write database that was restored from a
/// backup has a shorter log, and uses the positions of the lost events for other events.
/// </summary>
internal sealed class LogContinuity(NpgsqlDataSource database, EventLogClient log)
{
    /// <summary>Why the log is another one; null if it is not.</summary>
    public async Task<string?> BreakAsync(CancellationToken ct)
    {
        foreach (var (resource, position, id) in await CheckpointsAsync(ct))
        {
            var found = await log.NextAsync(position - 1, ct);
            // A later entry proves nothing: the event at the position may have been compacted away.
            if (found is null) return $"the log ends before {Of(resource, position)}, which was applied";
            if (found.Position == position && (found.Resource != resource || (id is not null && found.Id != id)))
                return $"the log has another event at {Of(resource, position)} than was applied";
        }

        return null;
    }

    /// <summary>Whether the log has no event at all.</summary>
    public async Task<bool> IsEmptyAsync(CancellationToken ct) => await log.NextAsync(0, ct) is null;

    private static string Of(string resource, long position) =>
        string.Create(CultureInfo.InvariantCulture, $"position {position} of {resource}");

    private async Task<List<(string Resource, long Position, Guid? Id)>> CheckpointsAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            $"SELECT resource, position, event_id FROM {ReadTables.Checkpoints} WHERE position > 0 ORDER BY position");
        await using var rows = await command.ExecuteReaderAsync(ct);
        var checkpoints = new List<(string, long, Guid?)>();
        while (await rows.ReadAsync(ct))
            checkpoints.Add((rows.GetString(0), rows.GetInt64(1), rows.IsDBNull(2) ? null : rows.GetGuid(2)));
        return checkpoints;
    }
}
