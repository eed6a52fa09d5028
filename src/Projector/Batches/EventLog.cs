using System.Globalization;
using System.Text.Json;
using ApexShop.Events;

namespace ApexShop.Projector.Batches;

/// <summary>The event log of the write side, where a hole in the messages is filled from.</summary>
internal sealed class EventLog(HttpClient http)
{
    /// <summary>Entries of one answer, which become one transaction.</summary>
    public const int Chunk = 1000;

    /// <summary>The resource's next entries after the position; none when it has no more.</summary>
    public async Task<IReadOnlyList<LogEntry>> ReadAsync(string resource, long after, int limit, CancellationToken ct)
    {
        var path = string.Create(
            CultureInfo.InvariantCulture, $"events?after={after}&resource={resource}&limit={limit}");
        try
        {
            return Parse(await http.GetByteArrayAsync(new Uri(path, UriKind.Relative), ct));
        }
        catch (Exception exception) when (
            exception is HttpRequestException or JsonException
            || (exception is TaskCanceledException && !ct.IsCancellationRequested))
        {
            throw new EventLogException($"The event log does not answer: {exception.Message}", exception);
        }
    }

    private static List<LogEntry> Parse(ReadOnlyMemory<byte> lines)
    {
        var entries = new List<LogEntry>();
        while (!lines.IsEmpty)
        {
            var end = lines.Span.IndexOf((byte)'\n');
            var line = end < 0 ? lines : lines[..end];
            lines = end < 0 ? default : lines[(end + 1)..];
            if (!line.IsEmpty) entries.Add(CloudEvents.Read(line));
        }

        return entries;
    }
}

/// <summary>The event log cannot be read now; what needs it waits.</summary>
internal sealed class EventLogException(string message, Exception? inner = null) : Exception(message, inner);
