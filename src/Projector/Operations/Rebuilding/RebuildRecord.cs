using System.Text.Json;
using ApexShop.Operations;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>The status of rebuilds in the database, so that every Projector can report it.</summary>
internal sealed class RebuildRecord(NpgsqlDataSource database)
{
    private const string ReadSql = $"""
        SELECT (SELECT status FROM read.rebuilds ORDER BY number DESC LIMIT 1),
            (SELECT count(*) FROM pg_tables WHERE schemaname = '{RebuiltTables.Previous}')
        """;

    private const string Ended =
        "The Projector that ran it ended. The tables were not switched; start the rebuild again.";

    public async Task<long> AddAsync(RebuildStatus status, CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            "INSERT INTO read.rebuilds (status) VALUES ($1::jsonb) RETURNING number");
        command.Parameters.Add(Json(status));
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }

    public async Task SaveAsync(long number, RebuildStatus status, CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            "UPDATE read.rebuilds SET status = $2::jsonb WHERE number = $1");
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = number });
        command.Parameters.Add(Json(status));
        await command.ExecuteNonQueryAsync(ct);
    }

    public async Task<RebuildStatus> ReadAsync(CancellationToken ct)
    {
        // Read first: a rebuild that ends in between is reported with its end.
        var isHeld = await RebuildLock.IsHeldAsync(database, ct);
        await using var command = database.CreateCommand(ReadSql);
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        var status = row.IsDBNull(0)
            ? RebuildStatus.None
            : JsonSerializer.Deserialize(row.GetString(0), OperationsJson.Default.RebuildStatus)!;
        if (status.State == RebuildState.Running && !isHeld)
            status = status with { State = RebuildState.Failed, Failure = Ended };
        return status with { CanRollBack = row.GetInt64(1) > 0 };
    }

    private static NpgsqlParameter<string> Json(RebuildStatus status) =>
        new() { TypedValue = JsonSerializer.Serialize(status, OperationsJson.Default.RebuildStatus) };
}
