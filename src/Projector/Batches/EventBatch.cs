using System.Diagnostics;
using System.Text.Json;
using ApexShop.Events;
using ApexShop.Projector.ReadModels;

namespace ApexShop.Projector.Batches;

/// <summary>Events of one resource by position, as messages carried them or the event log answered them.</summary>
internal sealed class EventBatch
{
    private readonly LogEntry[] entries;

    // The log itself is the authority on what follows what: an entry it leaves out has been compacted away.
    private readonly bool complete;

    private Reading[]? readings;

    private EventBatch(LogEntry[] entries, bool complete)
    {
        this.entries = entries;
        this.complete = complete;
    }

    public string Resource => entries[0].Resource;

    public IReadOnlyList<LogEntry> Entries => entries;

    public long First => entries[0].Position;

    public long Last => entries[^1].Position;

    /// <summary>Whether these were fetched from the log and did not come by message.</summary>
    public bool IsFetched => complete;

    /// <summary>The span in which its message was received.</summary>
    public ActivityContext Received { get; private init; }

    /// <exception cref="JsonException">The body is not a batch of events of one resource by position.</exception>
    public static EventBatch FromMessage(ReadOnlyMemory<byte> body) =>
        new(Checked(CloudEvents.ReadBatch(body)), complete: false) { Received = Activity.Current?.Context ?? default };

    public static EventBatch FromLog(IReadOnlyList<LogEntry> entries) => new(Checked(entries), complete: true);

    /// <summary>Messages of one resource, each beyond the one before it, as if they had come as one.</summary>
    public static EventBatch Join(IReadOnlyList<EventBatch> messages) =>
        messages is [var single]
            ? single
            : new([.. messages.SelectMany(message => message.entries)], complete: false)
            {
                readings = messages.All(message => message.readings is not null)
                    ? [.. messages.SelectMany(message => message.readings!)]
                    : null,
            };

    /// <summary>Reads what the events carry, once; it needs no database and may well be done before its turn.</summary>
    public void Read(IProjection projection) => readings ??= [.. entries.Select(entry => Reading.Of(entry, projection))];

    /// <summary>The entries beyond the checkpoint, up to the first that does not follow the one before it.</summary>
    public IReadOnlyList<Reading> Beyond(long checkpoint)
    {
        var start = Array.FindIndex(entries, entry => entry.Position > checkpoint);
        if (start < 0) return [];

        var end = start;
        var last = checkpoint;
        while (end < entries.Length && (complete || entries[end].Previous <= last)) last = entries[end++].Position;
        return new ArraySegment<Reading>(readings!, start, end - start);
    }

    /// <summary>
    /// Whether the events are of another log than the one applied so far, as after a restore of the write database: then
    /// the checkpoint is the position of another event, or of none of this resource.
    /// </summary>
    public bool Contradicts(long checkpoint, Guid? id) => checkpoint > 0 && entries.Any(entry =>
        entry.Position == checkpoint ? id is not null && entry.Id != id : entry.Position > checkpoint && entry.Previous < checkpoint);

    private static LogEntry[] Checked(IReadOnlyList<LogEntry> entries)
    {
        if (entries.Count == 0) throw new JsonException("A batch holds at least one event.");
        var resource = entries[0].Resource;
        if (!Resources.Resource.Exists(resource)) throw new JsonException("There are no documents of this resource.");
        for (var i = 1; i < entries.Count; i++)
        {
            if (entries[i].Resource != resource) throw new JsonException("A batch is of one resource.");
            if (entries[i].Position <= entries[i - 1].Position) throw new JsonException("A batch goes by position.");
        }

        return [.. entries];
    }
}
