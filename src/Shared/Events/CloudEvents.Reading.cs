using System.Globalization;
using System.Text.Json;

namespace ApexShop.Events;

public static partial class CloudEvents
{
    private static string? lastLogId;

    /// <summary>Reads a batch. The data of each entry is a slice of <paramref name="json"/>.</summary>
    /// <exception cref="JsonException">The bytes are not a valid batch.</exception>
    public static List<LogEntry> ReadBatch(ReadOnlyMemory<byte> json)
    {
        var reader = new Utf8JsonReader(json.Span);
        var entries = new List<LogEntry>();
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartArray)
            throw new JsonException("A batch must be a JSON array.");
        while (reader.Read() && reader.TokenType == JsonTokenType.StartObject)
            entries.Add(ReadObject(ref reader, json));
        if (reader.TokenType != JsonTokenType.EndArray)
            throw new JsonException("A batch must contain only JSON objects.");
        return entries;
    }

    /// <summary>
    /// Reads one event per line; empty lines are skipped. The data of each entry is a part of <paramref name="lines"/>.
    /// </summary>
    /// <exception cref="JsonException">A line is not a valid event.</exception>
    public static List<LogEntry> ReadLines(ReadOnlyMemory<byte> lines)
    {
        var entries = new List<LogEntry>();
        while (!lines.IsEmpty)
        {
            var end = lines.Span.IndexOf((byte)'\n');
            var line = end < 0 ? lines : lines[..end];
            lines = end < 0 ? default : lines[(end + 1)..];
            if (!line.IsEmpty) entries.Add(Read(line));
        }

        return entries;
    }

    /// <summary>Reads one event. Its data is a slice of <paramref name="json"/>.</summary>
    /// <exception cref="JsonException">The bytes are not a valid event.</exception>
    public static LogEntry Read(ReadOnlyMemory<byte> json)
    {
        var reader = new Utf8JsonReader(json.Span);
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException("An event must be a JSON object.");
        return ReadObject(ref reader, json);
    }

    private static LogEntry ReadObject(ref Utf8JsonReader reader, ReadOnlyMemory<byte> json)
    {
        try
        {
            return ReadMembers(ref reader, json);
        }
        // The reader throws these for a value of the wrong type and for text that is not valid UTF-8.
        catch (Exception exception) when (exception is InvalidOperationException or FormatException)
        {
            throw new JsonException("A member of an event has a value that is not valid.", exception);
        }
    }

    private static LogEntry ReadMembers(ref Utf8JsonReader reader, ReadOnlyMemory<byte> json)
    {
        long? position = null, previous = null;
        var (id, time) = (Guid.Empty, default(DateTimeOffset));
        string? type = null, subject = null, traceParent = null, actor = null, logId = null;
        ReadOnlyMemory<byte> data = default;

        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("id"u8)) { reader.Read(); id = reader.GetGuid(); }
            else if (reader.ValueTextEquals("type"u8)) { reader.Read(); type = reader.GetString(); }
            else if (reader.ValueTextEquals("subject"u8)) { reader.Read(); subject = reader.GetString(); }
            else if (reader.ValueTextEquals("time"u8)) { reader.Read(); time = reader.GetDateTimeOffset(); }
            else if (reader.ValueTextEquals("sequence"u8)) { reader.Read(); position = Position(ref reader); }
            else if (reader.ValueTextEquals("previous"u8)) { reader.Read(); previous = Position(ref reader); }
            else if (reader.ValueTextEquals("traceparent"u8)) { reader.Read(); traceParent = reader.GetString(); }
            else if (reader.ValueTextEquals("actor"u8)) { reader.Read(); actor = reader.GetString(); }
            else if (reader.ValueTextEquals("logid"u8)) { reader.Read(); logId = LogId(ref reader); }
            else if (reader.ValueTextEquals("data"u8)) { reader.Read(); data = Data(ref reader, json); }
            else { reader.Read(); reader.Skip(); }
        }

        if (position is null || previous is null || type is null || subject is null || data.IsEmpty)
            throw new JsonException("An event must have type, subject, sequence, previous and data.");
        var (resource, aggregateId) = Subject(subject);
        return new LogEntry(position.Value, previous.Value, id, type, resource, aggregateId, time, traceParent, data)
            { Actor = actor, LogId = logId };
    }

    private static ReadOnlyMemory<byte> Data(ref Utf8JsonReader reader, ReadOnlyMemory<byte> json)
    {
        var start = (int)reader.TokenStartIndex;
        reader.Skip();
        return json[start..(int)reader.BytesConsumed];
    }

    // Nearly all entries are of the same log, and share one string.
    private static string? LogId(ref Utf8JsonReader reader)
    {
        if (lastLogId is { } last && reader.TokenType == JsonTokenType.String && reader.ValueTextEquals(last))
            return last;
        return lastLogId = reader.GetString();
    }

    private static long Position(ref Utf8JsonReader reader) =>
        long.TryParse(reader.GetString(), NumberStyles.None, CultureInfo.InvariantCulture, out var position)
            ? position
            : throw new JsonException("A sequence must be a string of digits.");

    private static (string Resource, int Id) Subject(string subject)
    {
        var slash = subject.IndexOf('/', StringComparison.Ordinal);
        var hasId = int.TryParse(
            subject.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var id);
        if (slash <= 0 || !hasId) throw new JsonException("A subject must be a resource, a slash and an id.");
        // Names of resources are interned: entries of one resource share one string.
        return (string.IsInterned(subject[..slash]) ?? subject[..slash], id);
    }
}
