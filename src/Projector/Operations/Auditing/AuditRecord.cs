using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Operations;
using Npgsql;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// In the database, for all Projectors: what the last whole audit left, and where the scheduled one continues. Only the
/// session that has the lock of audits writes it, so an audit that has lost its lock changes nothing.
/// </summary>
internal sealed class AuditRecord(NpgsqlDataSource database)
{
    private static JsonTypeInfo<Dictionary<string, long>> Counts => OperationsJson.Default.DictionaryStringInt64;

    /// <summary>What the last whole audit left, and how long ago it ended.</summary>
    public async Task<LastAudit> LastAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            "SELECT drift, extract(epoch FROM now() - ended)::float8 FROM read.audit_record");
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return new(JsonSerializer.Deserialize(row.GetString(0), Counts)!, row.GetDouble(1));
    }

    /// <summary>The scheduled audit that is to run now or was interrupted; null before the next one is due.</summary>
    public async Task<ScheduledAudit?> DueAsync(TimeSpan interval, CancellationToken ct)
    {
        // An end in the future was stored before the clock was set back, so an audit is due.
        await using var command = database.CreateCommand("""
            SELECT next, found FROM read.audit_record
            WHERE next IS NOT NULL OR ended NOT BETWEEN now() - $1 AND now()
            """);
        command.Parameters.Add(new NpgsqlParameter<TimeSpan> { TypedValue = interval });
        await using var row = await command.ExecuteReaderAsync(ct);
        if (!await row.ReadAsync(ct)) return null;
        var next = row.IsDBNull(0) ? null : AuditPosition.Parse(row.GetString(0));
        return next is { } from
            ? new(from, JsonSerializer.Deserialize(row.GetString(1), Counts)!)
            : new(AuditPosition.First, []);
    }

    /// <summary>Stores how far the scheduled audit is.</summary>
    public static Task SaveAsync(
        SessionLock held, string next, Dictionary<string, long> found, CancellationToken ct) =>
        UpdateAsync(held, "next = $2, found = $1::jsonb", found, ct, new NpgsqlParameter<string> { TypedValue = next });

    /// <summary>A whole audit has left these differences. It is also the scheduled one.</summary>
    public static Task EndAsync(SessionLock held, Dictionary<string, long> differences, CancellationToken ct) =>
        UpdateAsync(held, "drift = $1::jsonb, ended = now(), next = NULL, found = '{}'", differences, ct);

    private static async Task UpdateAsync(
        SessionLock held,
        string values,
        Dictionary<string, long> counts,
        CancellationToken ct,
        params NpgsqlParameter[] others)
    {
        await using var command = new NpgsqlCommand($"UPDATE read.audit_record SET {values}", held.Connection);
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = JsonSerializer.Serialize(counts, Counts) });
        command.Parameters.AddRange(others);
        await command.ExecuteNonQueryAsync(ct);
    }
}

/// <summary>An audit of the schedule: where it begins, and what it has found before.</summary>
internal sealed record ScheduledAudit(AuditPosition From, Dictionary<string, long> Found);

/// <summary>The last whole audit.</summary>
/// <param name="Drift">Differences by resource; empty before the first audit.</param>
/// <param name="Age">Seconds since it ended, or since the read schema was made.</param>
internal sealed record LastAudit(Dictionary<string, long> Drift, double Age);
