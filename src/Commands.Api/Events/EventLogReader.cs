using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using Npgsql;
using NpgsqlTypes;

namespace ApexShop.Commands.Api.Events;

/// <summary>Reads the event log in pages of bounded size; no connection is held while a page is sent.</summary>
internal sealed class EventLogReader(EventLogConnections connections)
{
    /// <summary>Entries of one page.</summary>
    public const int PageSize = 500;

    /// <summary>
    /// A page of a reader of the whole log ends after the entry with which its data has so many bytes: each slow client
    /// has two pages in memory.
    /// </summary>
    public const int PageBytes = 1_000_000;

    // Large entries may make pages smaller than this, but do not make a statement read fewer.
    private const int SmallestSize = 10;

    /// <summary>Entries examined for one page of a compacted response; most of them may have been superseded.</summary>
    private const int CompactedPageSize = 1_000;

    /// <summary>Up to which position the log is that of an identity; null if it never had it.</summary>
    public async Task<long?> CommonWithAsync(string logId, CancellationToken ct)
    {
        await using var connection = await connections.OpenAsync(ct);
        await using var command = new NpgsqlCommand(EventLogSql.CommonWith, connection);
        command.Parameters.Add(Value(logId));
        return await command.ExecuteScalarAsync(ct) as long?;
    }

    /// <summary>The position of the last event that was removed among those that the filter may select.</summary>
    public async Task<long> RemovedUpToAsync(EventFilter filter, CancellationToken ct)
    {
        await using var connection = await connections.OpenAsync(ct);
        return await RemovedUpToAsync(connection, filter, ct);
    }

    /// <summary>Reads the page after a position. It may be empty although more events follow.</summary>
    /// <param name="range">The requested part of the log.</param>
    /// <param name="after">The position before the page.</param>
    /// <param name="wanted">More entries than this are not sent.</param>
    /// <param name="fitting">How many entries fill a page, as the page before has shown.</param>
    /// <param name="bytes">A page ends with the entry that reaches it.</param>
    /// <param name="ct">Cancels the query.</param>
    /// <exception cref="EventsRemovedException">The range must be whole, and is not any more.</exception>
    public async Task<EventPage> ReadAsync(
        EventRange range, long after, int wanted, int fitting, int bytes, CancellationToken ct)
    {
        await using var connection = await connections.OpenAsync(ct);
        var page = await ReadAsync(connection, range, after, Size(range, wanted, fitting), bytes, ct);
        // Read after the page: it shows every removal that the page may lack events of.
        if (range.IsWhole && await RemovedUpToAsync(connection, range.Filter, ct) is var removed && removed > after)
            throw new EventsRemovedException(removed);
        // The last page of a server that does not have the end of the range yet would hide the events between.
        if (page.IsLast && (await LogHeadReader.ReadUncheckedAsync(connection, ct)).Position < range.UpTo)
            throw new NpgsqlException("The server has not all events of the range; another one is the primary.");
        return page;
    }

    /// <summary>The same when nothing is known of the entries.</summary>
    public Task<EventPage> ReadAsync(EventRange range, long after, int wanted, CancellationToken ct) =>
        ReadAsync(range, after, wanted, int.MaxValue, PageBytes, ct);

    private static async Task<long> RemovedUpToAsync(
        NpgsqlConnection connection, EventFilter filter, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(EventLogSql.RemovedUpTo, connection);
        command.Parameters.Add(Value(filter.SelectedTypes));
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }

    private static async Task<EventPage> ReadAsync(
        NpgsqlConnection connection, EventRange range, long after, int size, int most, CancellationToken ct)
    {
        await using var command = Command(range, after, size);
        command.Connection = connection;
        await using var reader = await command.ExecuteReaderAsync(ct);
        var (entries, last, examined, bytes) = (new List<LogEntry>(), after, 0, 0L);
        for (; bytes < most && await reader.ReadAsync(ct); examined++)
        {
            last = reader.GetInt64(0);
            if (reader.IsDBNull(2)) continue;
            entries.Add(EventLog.Entry(reader));
            bytes += entries[^1].Data.Length;
        }

        var next = (int)Math.Max(SmallestSize, most * (long)examined / Math.Max(bytes, 1));
        return new EventPage(entries, last, examined < size && bytes < most, next);
    }

    // Where most examined entries may be left out, small pages would need very many statements.
    private static int Size(EventRange range, int wanted, int fitting)
    {
        if (range.IsCompacted) return Math.Min(CompactedPageSize, fitting);
        var isSparse = range.Filter is { Aggregates: not null, PossibleTypes: not null };
        return Math.Min(isSparse ? PageSize : Math.Min(wanted, PageSize), fitting);
    }

    /// <summary>The statement for a page, without its connection.</summary>
    internal static NpgsqlCommand Command(EventRange range, long after, int size)
    {
        var command = new NpgsqlCommand { Parameters = { Value(after), Value(range.UpTo), Value(size) } };
        var filter = range.Filter;
        command.CommandText = (filter.PossibleAggregates, filter.PossibleTypes, filter.Resource) switch
        {
            ({ } aggregates, var types, _) => OfAggregates(command, range, aggregates, types),
            (null, { } types, _) => Entries(range, EventLogSql.OfTypes, command, Value(types)),
            (null, null, { } resource) => Entries(range, EventLogSql.OfResource, command, Value(resource)),
            _ => Entries(range, EventLogSql.All, command),
        };
        return command;
    }

    private static string Entries(
        EventRange range, string positions, NpgsqlCommand command, params NpgsqlParameter[] filter)
    {
        command.Parameters.AddRange(filter);
        return range.IsCompacted ? EventLogSql.LastEntries(positions) : EventLogSql.Entries(positions);
    }

    // An index gives the last event of an aggregate directly; superseded events are not examined.
    private static string OfAggregates(NpgsqlCommand command, EventRange range, Subject[] aggregates, string[]? types)
    {
        command.Parameters.Add(Value(Array.ConvertAll(aggregates, subject => subject.Resource)));
        command.Parameters.Add(Value(Array.ConvertAll(aggregates, subject => subject.Id)));
        command.Parameters.Add(new NpgsqlParameter
        {
            Value = (object?)types ?? DBNull.Value, NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text,
        });
        return EventLogSql.EntriesOfTypes(range.IsCompacted ? EventLogSql.LastOfAggregates : EventLogSql.OfAggregates);
    }

    private static NpgsqlParameter<T> Value<T>(T value) => new() { TypedValue = value };
}
