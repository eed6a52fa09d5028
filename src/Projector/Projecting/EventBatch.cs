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

    // Of a batch from the log: the position after which it was read. It has what follows that position only.
    private readonly long? readAfter;

    private EventBatch(LogEntry[] entries, long? readAfter = null)
    {
        this.entries = entries;
        this.readAfter = readAfter;
    }

    public string Resource => entries[0].Resource;

    public IReadOnlyList<LogEntry> Entries => entries;

    public long First => entries[0].Position;

    public long Last => entries[^1].Position;

    /// <summary>Whether the batch was read from the event log. It skips events that compaction removed.</summary>
    public bool IsFromLog => readAfter is not null;

    /// <summary>The identities of the logs that sent the events; events of an earlier release have none.</summary>
    public IReadOnlyList<string> LogIds =>
        field ??= [.. entries.Select(entry => entry.LogId).OfType<string>().Distinct()];

    /// <summary>The span in which the message was received.</summary>
    public ActivityContext Received { get; private init; }

    /// <exception cref="JsonException">The body is not a batch of events of one resource in order.</exception>
    public static EventBatch FromMessage(ReadOnlyMemory<byte> body) =>
        new(Checked(CloudEvents.ReadBatch(body))) { Received = Activity.Current?.Context ?? default };

    /// <summary>Events that were read from the log after the position.</summary>
    public static EventBatch FromLog(IReadOnlyList<LogEntry> entries, long after) => new(Checked(entries), after);

    /// <summary>Joins messages of one resource, each with later events than the one before.</summary>
    public static EventBatch Join(IReadOnlyList<EventBatch> messages) =>
        messages is [var single]
            ? single
            : new([.. messages.SelectMany(message => message.entries)])
            {
                decoded = messages.All(message => message.decoded is not null)
                    ? [.. messages.SelectMany(message => message.decoded!)]
                    : null,
            };

    /// <summary>Decodes the events, once. It needs no database, so it can run before the batch's transaction.</summary>
    public void Decode(IProjection projection) =>
        decoded ??= [.. entries.Select(entry => DecodedEvent.Decode(entry, projection))];

    /// <summary>
    /// The events that follow the checkpoint without a hole. None of a batch that was read from the log after a later
    /// position: since then, other tables with earlier documents may be in use.
    /// </summary>
    public IReadOnlyList<DecodedEvent> Following(long checkpoint)
    {
        if (readAfter > checkpoint) return [];
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
        if (entries[0].Position < 1) throw new JsonException("The positions of events begin at 1.");
        for (var i = 1; i < entries.Count; i++)
        {
            if (entries[i].Resource != resource) throw new JsonException("All events of a batch are of one resource.");
            if (entries[i].Position <= entries[i - 1].Position)
                throw new JsonException("The events of a batch are in the order of their positions.");
        }

        return [.. entries];
    }
}
