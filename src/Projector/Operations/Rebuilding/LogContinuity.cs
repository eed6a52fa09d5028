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
    private readonly LogIdentity identity = new(database);

    /// <summary>Why the documents are not from the log; null if they are.</summary>
    public async Task<string?> BreakAsync(CancellationToken ct) => (await CompareAsync(ct)).Break;

    public async Task<LogComparison> CompareAsync(CancellationToken ct)
    {
        var current = await log.IdAsync(ct);
        var (stored, isInPlace) = await identity.ReadAsync(ct);
        var checkpoints = await CheckpointsAsync(ct);
        var last = checkpoints.Count == 0 ? 0 : checkpoints[^1].Position;
        var isOther = current is not null && current != stored;
        var found = await BreakAsync(log, checkpoints, ct);
        if (found is null && isOther && stored is not null && !await log.ContinuesAsync(stored, last, ct))
            found = $"the log {current} does not have all events of the log {stored} up to position {last}";
        return new(found, current, isOther || (current is not null && !isInPlace), last);
    }

    /// <summary>Stores the identity of the log; false when events were applied since the comparison.</summary>
    public Task<bool> AdoptAsync(LogComparison compared, CancellationToken ct) =>
        identity.AdoptAsync(compared.LogId!, compared.Position, ct);

    /// <summary>Why the log has not the events at the checkpoints; null if it has.</summary>
    public static async Task<string?> BreakAsync(
        EventLogClient log,
        IReadOnlyList<(string Resource, long Position, Guid? Id)> checkpoints,
        CancellationToken ct)
    {
        foreach (var (resource, position, id) in checkpoints)
        {
            var found = await log.NextAsync(position - 1, ct);
            // The head is that of the primary, also while another process reads from one that was replaced.
            if (found is null && await log.HeadAsync(ct) >= position)
                throw new EventLogException($"The event log was read without {Of(resource, position)}, which it has.");
            if (found is null) return $"the log ends before {Of(resource, position)}, which was applied";
            // A later entry proves nothing: compaction may have removed the event at the position.
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

/// <param name="Break">Why the documents are not from the log; null if they are.</param>
/// <param name="LogId">The identity of the log; null if it has none.</param>
/// <param name="IsOther">Whether the documents have another identity or none, or were restored.</param>
/// <param name="Position">The highest checkpoint.</param>
internal sealed record LogComparison(string? Break, string? LogId, bool IsOther, long Position);
