using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Operations;
using Npgsql;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// In the database, for all Projectors: what the last whole audit left, and where the scheduled one continues.
/// </summary>
internal sealed class AuditRecord(NpgsqlDataSource database)
{
    private const string Ended = "drift = $1::jsonb, ended = now(), next = NULL, found = '{}'";

    private static JsonTypeInfo<Dictionary<string, long>> Counts => OperationsJson.Default.DictionaryStringInt64;

    /// <summary>Differences by resource; empty before the first audit.</summary>
    public async Task<Dictionary<string, long>> DriftAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand("SELECT drift FROM read.audit_record");
        return JsonSerializer.Deserialize((string)(await command.ExecuteScalarAsync(ct))!, Counts)!;
    }

    /// <summary>The scheduled audit that is to run now or was interrupted; null before the next one is due.</summary>
    public async Task<ScheduledAudit?> DueAsync(TimeSpan interval, CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            "SELECT next, found FROM read.audit_record WHERE next IS NOT NULL OR ended + $1 <= now()");
        command.Parameters.Add(new NpgsqlParameter<TimeSpan> { TypedValue = interval });
        await using var row = await command.ExecuteReaderAsync(ct);
        if (!await row.ReadAsync(ct)) return null;
        var next = row.IsDBNull(0) ? null : row.GetString(0);
        return next is not null && AuditPosition.Parse(next) is { } from
            ? new(next, from, JsonSerializer.Deserialize(row.GetString(1), Counts)!)
            : new(next, AuditPosition.First, []);
    }

    /// <summary>
    /// Stores how far the scheduled audit is that was at <paramref name="before"/>; false when another Projector has
    /// continued or ended it since, or a whole audit was run.
    /// </summary>
    public async Task<bool> SaveAsync(
        string? before, string? next, Dictionary<string, long> found, CancellationToken ct) =>
        await UpdateAsync(
            $"{(next is null ? Ended : "next = $3, found = $1::jsonb")} WHERE next IS NOT DISTINCT FROM $2::text",
            found,
            ct,
            [new NpgsqlParameter<string?> { TypedValue = before }, .. Optional(next)]) > 0;

    /// <summary>A whole audit has left these differences. It is also the scheduled one.</summary>
    public Task EndAsync(Dictionary<string, long> differences, CancellationToken ct) =>
        UpdateAsync(Ended, differences, ct);

    private static IEnumerable<NpgsqlParameter> Optional(string? next) =>
        next is null ? [] : [new NpgsqlParameter<string> { TypedValue = next }];

    private async Task<int> UpdateAsync(
        string values, Dictionary<string, long> counts, CancellationToken ct, params NpgsqlParameter[] others)
    {
        await using var command = database.CreateCommand($"UPDATE read.audit_record SET {values}");
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = JsonSerializer.Serialize(counts, Counts) });
        command.Parameters.AddRange(others);
        return await command.ExecuteNonQueryAsync(ct);
    }
}

/// <summary>An audit of the schedule: where it begins, as stored and parsed, and what it has found before.</summary>
internal sealed record ScheduledAudit(string? Next, AuditPosition From, Dictionary<string, long> Found);
