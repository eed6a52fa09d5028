using System.Buffers;
using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Resources;

namespace ApexShop.Events;

/// <summary>
/// Log entries as CloudEvents 1.0 in JSON, single or as a batch. <c>sequence</c> follows the CloudEvents sequence
/// extension: it is the position as text that sorts like the number. <c>previous</c> has the same format.
/// </summary>
public static partial class CloudEvents
{
    public const string Source = "/apexshop";

    public const int SequenceDigits = 19;

    private static readonly JsonWriterOptions writing = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Writes the entries as one JSON array.</summary>
    public static void WriteBatch(IBufferWriter<byte> output, IEnumerable<LogEntry> entries)
    {
        using var json = new Utf8JsonWriter(output, writing);
        json.WriteStartArray();
        foreach (var entry in entries) Write(json, entry);
        json.WriteEndArray();
    }

    /// <summary>Writes one entry as a JSON object.</summary>
    public static void Write(IBufferWriter<byte> output, LogEntry entry)
    {
        using var json = new Utf8JsonWriter(output, writing);
        Write(json, entry);
    }

    /// <summary>Writes the entries as NDJSON, one JSON object per line.</summary>
    public static void WriteLines(IBufferWriter<byte> output, IEnumerable<LogEntry> entries)
    {
        using var json = new Utf8JsonWriter(output, writing);
        foreach (var entry in entries)
        {
            Write(json, entry);
            json.Flush();
            json.Reset();
            output.Write("\n"u8);
        }
    }

    private static void Write(Utf8JsonWriter json, LogEntry entry)
    {
        Span<byte> sequence = stackalloc byte[SequenceDigits];
        json.WriteStartObject();
        json.WriteString("specversion"u8, "1.0"u8);
        json.WriteString("id"u8, entry.Id);
        json.WriteString("source"u8, Source);
        json.WriteString("type"u8, entry.Type);
        json.WriteString(
            "subject"u8, string.Create(CultureInfo.InvariantCulture, $"{entry.Resource}/{entry.AggregateId}"));
        json.WriteString("time"u8, entry.Time.UtcDateTime);
        json.WriteString("sequence"u8, Sequence(entry.Position, sequence));
        json.WriteString("previous"u8, Sequence(entry.Previous, sequence));
        if (entry.LogId is { } logId) json.WriteString("logid"u8, logId);
        if (entry.TraceParent is { } traceParent) json.WriteString("traceparent"u8, traceParent);
        if (ActorOf(entry) is { } actor) json.WriteString("actor"u8, actor);
        if (entry.CorrelationId is { } correlationId) json.WriteString("correlationid"u8, correlationId);
        json.WriteString("datacontenttype"u8, "application/json"u8);
        json.WritePropertyName("data"u8);
        // A serializer or the database wrote this JSON; a second validation would double the cost.
        json.WriteRawValue(entry.Data.Span, skipInputValidation: true);
        json.WriteEndObject();
    }

    // Events of public documents can be read without users:read and orders:read: the name of a customer in a change of
    // stock would show who ordered the product.
    private static string? ActorOf(LogEntry entry)
    {
        if (entry.Actor is not { } actor || !Customer.IsName(actor)) return entry.Actor;
        return Resource.Of(entry.Resource).ReadScope is null ? Customer.Kind : actor;
    }

    private static ReadOnlySpan<byte> Sequence(long position, Span<byte> text)
    {
        position.TryFormat(text, out _, "D19", CultureInfo.InvariantCulture);
        return text;
    }
}
