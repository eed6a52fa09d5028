using System.Globalization;
using ApexShop.Projector.Documents;
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
    public async Task<string?> FindBreakAsync(CancellationToken ct) => (await CompareAsync(ct)).Break;

    public async Task<LogComparison> CompareAsync(CancellationToken ct)
    {
        var current = await log.IdAsync(ct);
        var (stored, isInPlace, epoch) = await identity.ReadAsync(ct);
        await using var connection = await database.OpenConnectionAsync(ct);
        var checkpoints = await CheckpointsAsync(new StatementBatch(connection), ct);
        var last = checkpoints.Count == 0 ? 0 : checkpoints[^1].Position;
        var isOther = current is not null && current != stored;
        var found = await FindBreakAsync(log, checkpoints, ct);
        if (found is null && isOther && stored is not null && !await log.ContinuesAsync(stored, last, ct))
            found = $"the log {current} does not have all events of the log {stored} up to position {last}";
        return new(found, current, isOther || (current is not null && !isInPlace), last, epoch);
    }

    /// <summary>Stores that the documents that were compared are not from the log.</summary>
    public Task RefuteAsync(LogComparison compared, CancellationToken ct) =>
        identity.ForgetOriginAsync(compared.Epoch, ct);

    /// <summary>Stores the identity of the log; false when events were applied since the comparison.</summary>
    public Task<bool> AdoptAsync(LogComparison compared, CancellationToken ct) =>
        identity.AdoptAsync(compared.LogId!, compared.Position, compared.Epoch, ct);

    /// <summary>Why the log does not have the events at the checkpoints; null if it does.</summary>
    public static async Task<string?> FindBreakAsync(
        EventLogClient log,
        IReadOnlyList<(string Resource, long Position, Guid? Id)> checkpoints,
        CancellationToken ct)
    {
        foreach (var (resource, position, id) in checkpoints.Where(one => one.Position > 0))
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

    /// <summary>The checkpoint of each resource in the tables of the statements, by position.</summary>
    public static async Task<List<(string Resource, long Position, Guid? Id)>> CheckpointsAsync(
        StatementBatch statements, CancellationToken ct)
    {
        var checkpoints = new List<(string, long, Guid?)>();
        statements.Add(
            $"SELECT resource, position, event_id FROM {ReadTables.Checkpoints} ORDER BY position",
            row => checkpoints.Add((row.GetString(0), row.GetInt64(1), row.IsDBNull(2) ? null : row.GetGuid(2))));
        await statements.RunAsync(ct);
        return checkpoints;
    }

    /// <summary>The same without the ids of the events.</summary>
    public static async Task<Dictionary<string, long>> PositionsAsync(
        StatementBatch statements, CancellationToken ct) =>
        (await CheckpointsAsync(statements, ct)).ToDictionary(one => one.Resource, one => one.Position);

    /// <summary>Whether the log has no event at all.</summary>
    public async Task<bool> IsEmptyAsync(CancellationToken ct) => await log.NextAsync(0, ct) is null;

    private static string Of(string resource, long position) =>
        string.Create(CultureInfo.InvariantCulture, $"position {position} of {resource}");
}

/// <param name="Break">Why the documents are not from the log; null if they are.</param>
/// <param name="LogId">The identity of the log; null if it has none.</param>
/// <param name="IsOther">Whether the documents have another identity or none, or were restored.</param>
/// <param name="Position">The highest checkpoint.</param>
/// <param name="Epoch">The epoch of the documents.</param>
internal sealed record LogComparison(string? Break, string? LogId, bool IsOther, long Position, long Epoch);
