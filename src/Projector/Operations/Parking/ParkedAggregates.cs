using System.Text.Json;
using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>Lists and discards the parked events in the database.</summary>
internal sealed partial class ParkedAggregates(
    NpgsqlDataSource database, Projections projections, ILogger<ParkedAggregates> logger)
{
    /// <summary>The aggregates after this one, of one resource or, if it is empty, of all.</summary>
    public async Task<List<ParkedAggregate>> ListAsync(
        string resource, AggregateKey after, int limit, CancellationToken ct)
    {
        var isEarlier = string.CompareOrdinal(after.Resource, resource) < 0;
        var start = isEarlier ? AggregateKey.First with { Resource = resource } : after;
        await using var command = Command(
            listSql, Parameter(start.Resource), Parameter(start.Id), Parameter(resource), Parameter(limit));
        return await ReadAsync(command, row => new ParkedAggregate(
            row.GetString(0),
            row.GetInt32(1),
            row.GetInt32(2),
            row.GetInt64(3),
            row.GetInt64(4),
            row.GetFieldValue<DateTimeOffset>(5),
            row.GetString(6)), ct);
    }

    /// <summary>The parked events of one aggregate after a position.</summary>
    public async Task<List<ParkedEvent>> FindAsync(AggregateKey aggregate, long after, int limit, CancellationToken ct)
    {
        await using var command = Command(
            FindSql, Parameter(aggregate.Resource), Parameter(aggregate.Id), Parameter(after), Parameter(limit));
        return await ReadAsync(command, row => new ParkedEvent(
            row.GetInt64(0),
            row.GetFieldValue<DateTimeOffset>(1),
            row.GetString(2),
            JsonSerializer.Deserialize(row.GetFieldValue<byte[]>(3), OperationsJson.Default.JsonElement)), ct);
    }

    /// <summary>The version of the document or of its tombstone.</summary>
    public async Task<long?> VersionAsync(AggregateKey aggregate, CancellationToken ct)
    {
        await using var command = Command(VersionSql(aggregate.Resource), Parameter(aggregate.Id));
        return await command.ExecuteScalarAsync(ct) as long?;
    }

    /// <summary>Discards the events; null when there are none.</summary>
    public async Task<ParkedDiscard?> DiscardAsync(AggregateKey aggregate, CancellationToken ct)
    {
        var discard = await StatementBatch.InTransactionAsync(database, async (statements, transaction) =>
        {
            // Under the lock: a batch that found the aggregate parked has either parked its events already or finds it
            // free.
            await ProjectionState.LockAsync(statements, ct);
            long? version = null;
            byte[]? last = null;
            var count = 0;
            statements.Add(VersionSql(aggregate.Resource), row => version = row.GetInt64(0), Parameter(aggregate.Id));
            statements.Add(
                LastSql,
                row => last = row.GetFieldValue<byte[]>(0),
                Parameter(aggregate.Resource),
                Parameter(aggregate.Id));
            statements.Add(
                DiscardSql, row => count = row.GetInt32(0), Parameter(aggregate.Resource), Parameter(aggregate.Id));
            await statements.RunAsync(ct);
            await transaction.CommitAsync(ct);
            return last is null ? null : Discard(aggregate, version, last, count);
        }, ct);
        if (discard is not null)
            logger.ParkedDiscarded(discard.Resource, discard.Id, discard.Events, discard.DocumentVersion);
        return discard;
    }

    private ParkedDiscard Discard(AggregateKey aggregate, long? version, byte[] lastEvent, int events)
    {
        var last = DecodedEvent.DecodeStored(lastEvent, projections[aggregate.Resource]).Change?.State.Version;
        var stays = version is null
            ? $"{aggregate} has no document."
            : $"The document of {aggregate} stays at version {version}.";
        return new ParkedDiscard(
            aggregate.Resource, aggregate.Id, events, version, last,
            $"{stays} Its later state is shown after its next event, or when it is healed from the log.");
    }

    private NpgsqlCommand Command(string sql, params NpgsqlParameter[] parameters)
    {
        var command = database.CreateCommand(sql);
        command.Parameters.AddRange(parameters);
        return command;
    }

    private static async Task<List<T>> ReadAsync<T>(
        NpgsqlCommand command, Func<NpgsqlDataReader, T> read, CancellationToken ct)
    {
        var rows = new List<T>();
        await using var reader = await command.ExecuteReaderAsync(ct);
        while (await reader.ReadAsync(ct)) rows.Add(read(reader));
        return rows;
    }
}
