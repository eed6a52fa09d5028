using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Security.Claims;
using System.Threading.Channels;
using System.Threading.RateLimiting;
using ApexShop.Caching;
using ApexShop.Limits;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// What shared caches have to purge: the keys of public responses whose tags were raised. Each key is sent twice, at
/// once and after the bound of staleness: in between, another process may still have sent an earlier response.
/// </summary>
internal sealed class PurgeFeed(TagFence fence, IOptions<CachingOptions> options, TimeProvider clock) : IDisposable
{
    /// <summary>Most followers at a time.</summary>
    public const int MostFollowers = 16;

    // A follower that is this many announcements behind purges everything instead.
    private const int MostWaiting = 1_000;

    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan silence = TimeSpan.FromSeconds(15);
    private static readonly string[] everything = [CacheTags.Everything];

    private readonly TimeSpan bound = TimeSpan.FromSeconds(options.Value.UnavailableSeconds + 1);
    private readonly ConcurrentDictionary<Channel<string[]>, bool> followers = new();
    private readonly FollowerLimit places = new(MostFollowers);
    private long floor;

    /// <summary>Whether this process receives the announcements; another one may.</summary>
    public bool IsLive => fence.IsLive;

    /// <summary>The place of a follower, which it has until the lease is disposed.</summary>
    public RateLimitLease TakePlace(ClaimsPrincipal caller) => places.Take(caller);

    public void Dispose() => places.Dispose();

    /// <summary>
    /// Takes the tags of a message that the fence has received; everything where an announcement may be missing.
    /// </summary>
    public void Receive(string message)
    {
        var now = fence.Floor;
        var isAll = Interlocked.Exchange(ref floor, now) != now;
        // "number generation tag tag ...", or a probe.
        string[] keys = isAll ? everything : [.. message.Split(' ').Skip(2).Where(IsPublic)];
        if (keys.Length == 0) return;
        foreach (var (follower, _) in followers)
        {
            // It ends, and its client begins again by purging everything.
            if (!follower.Writer.TryWrite(keys)) follower.Writer.TryComplete();
        }
    }

    /// <summary>
    /// The keys to purge: everything at first, then what is raised; an empty list when nothing is for a while. It ends
    /// when this process receives no announcements, because others may still send responses to keep.
    /// </summary>
    public async IAsyncEnumerable<IReadOnlyCollection<string>> FollowAsync(
        [EnumeratorCancellation] CancellationToken ct)
    {
        var raised = Channel.CreateBounded<string[]>(MostWaiting);
        followers[raised] = true;
        try
        {
            yield return everything;
            var again = new Queue<(long At, HashSet<string> Keys)>();
            again.Enqueue((clock.GetTimestamp(), [.. everything]));
            var last = clock.GetTimestamp();
            var isUpToDate = true;
            while (!raised.Reader.Completion.IsCompleted && fence.IsLive)
            {
                await Task.Delay(interval, clock, ct);
                // Changes are not announced for now, and no process sends a response to keep until they are.
                var wasUpToDate = isUpToDate;
                isUpToDate = fence.IsUpToDate;
                if (wasUpToDate && !isUpToDate && !raised.Writer.TryWrite(everything)) yield break;
                var keys = Next(raised.Reader, again);
                if (keys.Count == 0 && clock.GetElapsedTime(last) < silence) continue;
                last = clock.GetTimestamp();
                yield return keys;
            }
        }
        finally
        {
            followers.TryRemove(raised, out _);
        }
    }

    private HashSet<string> Next(ChannelReader<string[]> raised, Queue<(long At, HashSet<string> Keys)> again)
    {
        var keys = new HashSet<string>();
        while (raised.TryRead(out var more)) keys.UnionWith(more);
        if (keys.Count > 0) again.Enqueue((clock.GetTimestamp(), [.. keys]));
        while (again.TryPeek(out var first) && clock.GetElapsedTime(first.At) >= bound)
            keys.UnionWith(again.Dequeue().Keys);
        return keys;
    }

    // "products:17", "products" and "categories:3:products" are of products. The key of a private document would show
    // that it changed.
    private static bool IsPublic(string tag)
    {
        var parts = tag.Split(':');
        var name = parts.Length > 2 ? parts[2] : parts[0];
        return ReadModel.All.Any(resource => resource.Name == name && resource.Scope is null);
    }
}
