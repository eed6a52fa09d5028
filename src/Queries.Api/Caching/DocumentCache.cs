using ApexShop.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Single documents of one resource, in memory only: Redis would take longer than the read that it saves. What is not
/// there is read together with whatever else is asked for at the moment.
/// </summary>
internal sealed class DocumentCache(
    Resource resource,
    int kind,
    DocumentReader documents,
    MemoryLevel<long> memory,
    TagFence fence,
    ReadEpoch epoch,
    CacheMetrics metrics)
{
    private Gatherer<Answer> Reads => field ??= new(ReadAsync);

    public Answer? Find(int id) => memory.Find(Key(id));

    /// <summary>As the database has it by now; null if there is none.</summary>
    public Task<Answer?> ReadAsync(int id, CancellationToken ct)
    {
        metrics.Missed();
        return Reads.FindAsync(id, ct);
    }

    private async Task<Dictionary<int, Answer>> ReadAsync(int[] ids)
    {
        var mark = fence.Note();
        var found = await documents.FindAsync(ids);
        var answers = new Dictionary<int, Answer>(found.Count);
        foreach (var (id, version, body) in found)
        {
            var answer = new Answer(body, version.ETag);
            answers.Add(id, answer);
            epoch.Saw(version.Epoch);
            memory.Keep(Key(id), answer, mark, [fence.SlotOf(CacheTags.Document(resource.Name, id))]);
        }

        return answers;
    }

    private long Key(int id) => ((long)kind << 32) | (uint)id;
}
