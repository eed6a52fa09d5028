using System.Diagnostics;
using System.Text.Json;
using ApexShop.Events;
using ApexShop.Projector.Documents;

namespace ApexShop.Projector.Projecting;

/// <summary>Events of one resource in the order of their positions, from messages or from the event log.</summary>
internal sealed class EventBatch
{
    private readonly LogEntry[] entries;

    private DecodedEvent[]? decoded;

    private EventBatch(LogEntry[] entries, bool isFromLog)
    {
        this.entries = entries;
        IsFromLog = isFromLog;
    }

    public string Resource => entries[0].Resource;

    public IReadOnlyList<LogEntry> Entries => entries;

    public long First => entries[0].Position;

    public long Last => entries[^1].Position;

    /// <summary>Whether the batch was read from the event log. It skips events that compaction removed.</summary>
    public bool IsFromLog { get; }

    /// <summary>The identities of the logs that sent the events; events of an earlier release have none.</summary>
    public IReadOnlyList<string> LogIds =>
        field ??= [.. entries.Select(entry => entry.LogId).OfType<string>().Distinct()];

    /// <summary>The span in which the message was received.</summary>
    public ActivityContext Received { get; private init; }

    /// <exception cref="JsonException">The body is not a batch of events of one resource in order.</exception>
    public static EventBatch FromMessage(ReadOnlyMemory<byte> body) =>
        new(Checked(CloudEvents.ReadBatch(body)), isFromLog: false) { Received = Activity.Current?.Context ?? default };

    public static EventBatch FromLog(IReadOnlyList<LogEntry> entries) => new(Checked(entries), isFromLog: true);

    /// <summary>Joins messages of one resource, each with later events than the one before.</summary>
    public static EventBatch Join(IReadOnlyList<EventBatch> messages) =>
        messages is [var single]
            ? single
            : new([.. messages.SelectMany(message => message.entries)], isFromLog: false)
            {
                decoded = messages.All(message => message.decoded is not null)
                    ? [.. messages.SelectMany(message => message.decoded!)]
                    : null,
            };

    /// <summary>Decodes the events, once. It needs no database, so it can run before the batch's transaction.</summary>
    public void Decode(IProjection projection) =>
        decoded ??= [.. entries.Select(entry => DecodedEvent.Decode(entry, projection))];

    /// <summary>The events that follow the checkpoint without a hole.</summary>
    public IReadOnlyList<DecodedEvent> Following(long checkpoint)
    {
        var start = Array.FindIndex(entries, entry => entry.Position > checkpoint);
        if (start < 0) return [];

        var end = start;
        var last = checkpoint;
        while (end < entries.Length && (IsFromLog || entries[end].Previous <= last)) last = entries[end++].Position;
        return new ArraySegment<DecodedEvent>(decoded!, start, end - start);
    }

    /// <summary>
    /// Whether the events are from another log than those applied before, as after a restore of the write database: the
    /// checkpoint is then the position of another event, or of none of this resource.
    /// </summary>
    public bool IsOfAnotherLog(long checkpoint, Guid? id) => checkpoint > 0 && entries.Any(entry =>
        entry.Position == checkpoint
            ? id is not null && entry.Id != id
            : entry.Position > checkpoint && entry.Previous < checkpoint);

    private static LogEntry[] Checked(IReadOnlyList<LogEntry> entries)
    {
        if (entries.Count == 0) throw new JsonException("A batch contains at least one event.");
        var resource = entries[0].Resource;
        if (!Resources.Resource.Exists(resource)) throw new JsonException("There are no documents of this resource.");
        for (var i = 1; i < entries.Count; i++)
        {
            if (entries[i].Resource != resource) throw new JsonException("All events of a batch are of one resource.");
            if (entries[i].Position <= entries[i - 1].Position)
                throw new JsonException("The events of a batch are in the order of their positions.");
        }

        return [.. entries];
    }
}
