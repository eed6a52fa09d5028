using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Pages, counts and searches: from memory, else from Redis, else read once for all who ask. What is kept was fenced
/// before its read, so no order of reads and changes makes it outlive a change.
/// </summary>
internal sealed class AnswerCache(
    MemoryLevel<string> memory,
    ISharedLevel redis,
    Flights flights,
    TagFence fence,
    ReadEpoch epoch,
    IOptions<CachingOptions> options,
    CacheMetrics metrics,
    TimeProvider clock)
{
    private static readonly TimeSpan pollInterval = TimeSpan.FromMilliseconds(10);

    private readonly TimeSpan leaseWait = TimeSpan.FromMilliseconds(options.Value.LeaseWaitMilliseconds);

    /// <summary>What memory has, for a caller that has not looked into the question yet: list and query string name the answer.</summary>
    public Answer? Find(string list, string? query)
    {
        var length = list.Length + (query?.Length ?? 0);
        if (length > CachingOptions.LongestKey) return null;
        Span<char> key = stackalloc char[length];
        list.CopyTo(key);
        query?.CopyTo(key[list.Length..]);
        return memory.Find(key);
    }

    public void Saw(long seen) => epoch.Saw(seen);

    /// <summary>Null when the read gives none; what the read throws is the caller's.</summary>
    public Task<Answer?> ReadAsync(Question question, Func<CancellationToken, Task<Answer?>> read, CancellationToken ct)
    {
        metrics.Missed();
        if (!memory.IsOn || question.Key.Length > CachingOptions.LongestKey) return read(ct);
        var slots = fence.SlotsOf(question.Tags);
        return flights.JoinAsync(
            question.Key,
            mark => !question.IsFresh && memory.IsCurrent(mark, slots),
            token => FetchAsync(question, slots, read, token),
            ct);
    }

    /// <summary>
    /// Part of an answer that is itself being read. Only Redis may have it: memory may not have heard yet of a change
    /// that the whole, whose fence was asked of Redis, is taken to be newer than.
    /// </summary>
    public async Task<Answer> ReadPartAsync(
        Question question, Func<CancellationToken, Task<Answer>> read, CancellationToken ct)
    {
        var isShared = memory.IsOn && fence.IsLive && question is { IsPublic: true, IsFresh: false };
        if (!isShared || question.Key.Length > CachingOptions.LongestKey) return await read(ct);
        question = question with { Epoch = await epoch.CurrentAsync(ct) };
        var shared = await redis.FindAsync(question, ct);
        if (shared?.Answer is { } found) return found;
        var answer = await read(ct);
        if (shared is { } place) await redis.KeepAsync(question, place.Fence, answer, ct);
        return answer;
    }

    private async Task<Answer?> FetchAsync(
        Question question, int[] slots, Func<CancellationToken, Task<Answer?>> read, CancellationToken ct)
    {
        var mark = fence.Note();
        SharedAnswer? shared = null;
        if (question is { IsPublic: true, IsFresh: false } && mark.IsLive)
        {
            question = question with { Epoch = await epoch.CurrentAsync(ct) };
            (mark, shared) = await AskRedisAsync(question, ct);
        }

        if (shared?.Answer is { } found)
        {
            memory.Keep(question.Key, found, mark, slots);
            return found;
        }

        if (await read(ct) is not { } answer) return null;
        memory.Keep(question.Key, answer, mark, slots);
        if (shared is { } place) await redis.KeepAsync(question, place.Fence, answer, ct);
        return answer;
    }

    // The mark is noted before each look, as whoever finds an answer keeps it in memory under that mark.
    private async Task<(FenceMark Mark, SharedAnswer? Shared)> AskRedisAsync(Question question, CancellationToken ct)
    {
        var began = clock.GetTimestamp();
        while (true)
        {
            var mark = fence.Note();
            var shared = await redis.FindAsync(question, ct);
            var isMine = shared is not { Answer: null, Leads: false };
            if (isMine || clock.GetElapsedTime(began) >= leaseWait) return (mark, shared);
            await Task.Delay(pollInterval, clock, ct);
        }
    }
}
