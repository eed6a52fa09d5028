using ApexShop.Events;
using ApexShop.Projector.EventLog;
using ApexShop.Resources;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>The next events of each resource, as many of each as one answer of the log has.</summary>
internal static class LogChunk
{
    /// <summary>The events after these positions, by resource; a resource without one is left out.</summary>
    public static async Task<List<(string Resource, IReadOnlyList<LogEntry> Entries)>> ReadAsync(
        EventLogClient log,
        IReadOnlyDictionary<string, long> after,
        IReadOnlyDictionary<string, long>? upTo,
        CancellationToken ct)
    {
        var news = new List<(string, IReadOnlyList<LogEntry>)>();
        foreach (var resource in Resource.Names)
        {
            var end = upTo is null ? long.MaxValue : upTo.GetValueOrDefault(resource);
            var read = await log.ReadAsync(resource, after[resource], EventLogClient.Chunk, ct);
            List<LogEntry> entries = [.. read.TakeWhile(entry => entry.Position <= end)];
            if (entries.Count > 0) news.Add((resource, entries));
        }

        return news;
    }
}
