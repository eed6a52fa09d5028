using System.Buffers;

namespace ApexShop.Commands.Api.Events;

/// <summary>A client of the live feed: which events it gets, and up to which position it has them.</summary>
internal sealed class Follower(HttpResponse response, EventRange range, long position, TimeProvider clock)
{
    private long lastSent = clock.GetTimestamp();

    public EventRange Range => range;

    /// <summary>The next events; the range may exclude some.</summary>
    public List<LiveEvent> Events { get; } = [];

    /// <summary>Events up to here were sent or excluded.</summary>
    public long Position { get; set; } = position;

    /// <summary>How many entries fill its next page of the log.</summary>
    public int PageSize { get; set; } = EventLogReader.PageSize;

    /// <summary>The time since something was sent.</summary>
    public TimeSpan Silence => clock.GetElapsedTime(lastSent);

    /// <summary>Writes the events, in slices, and returns their number; the last of them are not flushed yet.</summary>
    public async Task<int> WriteEventsAsync()
    {
        var (written, bytes) = (0, 0);
        foreach (var live in Events.Where(live => range.Filter.Includes(live.Entry)))
        {
            response.BodyWriter.Write(live.Record);
            written++;
            if ((bytes += live.Record.Length) < EventLogStream.SliceBytes) continue;
            await FlushAsync();
            bytes = 0;
        }

        return written;
    }

    /// <summary>Not cancelled when the process stops: cancelling a write resets the connection.</summary>
    public async Task FlushAsync()
    {
        await response.BodyWriter.FlushAsync(response.HttpContext.RequestAborted);
        lastSent = clock.GetTimestamp();
    }
}
