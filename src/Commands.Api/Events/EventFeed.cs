using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using Npgsql;
using NpgsqlTypes;

namespace ApexShop.Commands.Api.Events;

/// <summary>Reads the log in parts of bounded size, each on a connection that is given back before anybody is sent it.</summary>
internal sealed class EventFeed(FeedConnections connections)
{
    /// <summary>Entries of one part.</summary>
    public const int Chunk = 500;

    /// <summary>Entries that are looked at for one part of a compacted answer; most of them may have been superseded.</summary>
    private const int CompactedChunk = 1_000;

    /// <summary>The position of the last event there is.</summary>
    public async Task<long> HeadAsync(CancellationToken ct)
    {
        await using var connection = await connections.OpenAsync(ct);
        await using var command = new NpgsqlCommand(FeedSql.Head, connection);
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }

    /// <summary>The next part after a position, with about as many entries as are wanted, and perhaps none although more follow.</summary>
    public async Task<FeedChunk> ReadAsync(FeedRange range, long after, int wanted, CancellationToken ct)
    {
        var take = Take(range, wanted);
        await using var connection = await connections.OpenAsync(ct);
        await using var command = Command(range, after, take);
        command.Connection = connection;
        await using var reader = await command.ExecuteReaderAsync(ct);
        var (entries, reached, places) = (new List<LogEntry>(), after, 0);
        for (; await reader.ReadAsync(ct); places++)
        {
            reached = reader.GetInt64(0);
            if (!reader.IsDBNull(2)) entries.Add(EventLog.Entry(reader));
        }

        return new FeedChunk(entries, reached, places < take);
    }

    // Where most of what is looked at may be left out, a few at a time would be a great many statements.
    private static int Take(FeedRange range, int wanted) =>
        range.IsCompacted ? CompactedChunk : range.Filter.Aggregates is null ? Math.Min(wanted, Chunk) : Chunk;

    /// <summary>The statement for a part, without its connection.</summary>
    internal static NpgsqlCommand Command(FeedRange range, long after, int take)
    {
        var command = new NpgsqlCommand { Parameters = { Value(after), Value(range.UpTo), Value(take) } };
        command.CommandText = (range.Filter.AggregatesLeft, range.Filter.TypesLeft, range.Filter.Resource) switch
        {
            ({ } aggregates, var types, _) => OfAggregates(command, range, aggregates, types),
            (null, { } types, _) => Places(range, FeedSql.OfTypes, command, Value(types)),
            (null, null, { } resource) => Places(range, FeedSql.OfResource, command, Value(resource)),
            _ => Places(range, FeedSql.All, command),
        };
        return command;
    }

    private static string Places(FeedRange range, string places, NpgsqlCommand command, params NpgsqlParameter[] filter)
    {
        command.Parameters.AddRange(filter);
        return range.IsCompacted ? FeedSql.LastEntries(places) : FeedSql.Entries(places);
    }

    // Of an aggregate the index has the last event at hand: nothing that was superseded is looked at.
    private static string OfAggregates(NpgsqlCommand command, FeedRange range, Subject[] aggregates, string[]? types)
    {
        command.Parameters.Add(Value(Array.ConvertAll(aggregates, subject => subject.Resource)));
        command.Parameters.Add(Value(Array.ConvertAll(aggregates, subject => subject.Id)));
        command.Parameters.Add(new NpgsqlParameter { Value = (object?)types ?? DBNull.Value, NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text });
        return FeedSql.EntriesOfTypes(range.IsCompacted ? FeedSql.LastOfAggregates : FeedSql.OfAggregates);
    }

    private static NpgsqlParameter<T> Value<T>(T value) => new() { TypedValue = value };
}
