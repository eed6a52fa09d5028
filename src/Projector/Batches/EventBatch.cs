using System.Text.Json;
using ApexShop.Events;

namespace ApexShop.Projector.Batches;

/// <summary>Events of one resource by position, as a message carried them or the event log answered them.</summary>
internal sealed class EventBatch
{
    private readonly LogEntry[] entries;

    // The log itself is the authority on what follows what: an entry it leaves out has been compacted away.
    private readonly bool complete;

    private EventBatch(LogEntry[] entries, bool complete)
    {
        this.entries = entries;
        this.complete = complete;
    }

    public string Resource => entries[0].Resource;

    public IReadOnlyList<LogEntry> Entries => entries;

    public long Last => entries[^1].Position;

    /// <exception cref="JsonException">The body is not a batch of events of one resource by position.</exception>
    public static EventBatch FromMessage(ReadOnlyMemory<byte> body) =>
        new(Checked(CloudEvents.ReadBatch(body)), complete: false);

    public static EventBatch FromLog(IReadOnlyList<LogEntry> entries) => new(Checked(entries), complete: true);

    /// <summary>The entries beyond the checkpoint, up to the first that does not follow the one before it.</summary>
    public IReadOnlyList<LogEntry> Beyond(long checkpoint)
    {
        var start = Array.FindIndex(entries, entry => entry.Position > checkpoint);
        if (start < 0) return [];

        var end = start;
        var last = checkpoint;
        while (end < entries.Length && (complete || entries[end].Previous <= last)) last = entries[end++].Position;
        return new ArraySegment<LogEntry>(entries, start, end - start);
    }

    private static LogEntry[] Checked(IReadOnlyList<LogEntry> entries)
    {
        if (entries.Count == 0) throw new JsonException("A batch holds at least one event.");
        var resource = entries[0].Resource;
        if (!Resources.All.Contains(resource)) throw new JsonException("There are no documents of this resource.");
        for (var i = 1; i < entries.Count; i++)
        {
            if (entries[i].Resource != resource) throw new JsonException("A batch is of one resource.");
            if (entries[i].Position <= entries[i - 1].Position) throw new JsonException("A batch goes by position.");
        }

        return [.. entries];
    }
}
