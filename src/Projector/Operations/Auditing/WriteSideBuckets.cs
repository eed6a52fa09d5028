using ApexShop.Events;
using ApexShop.Operations;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>The buckets of one resource that the tables have, in order, asked for a few at a time.</summary>
internal sealed class WriteSideBuckets(WriteSideClient writeSide, string resource)
{
    private const int Highest = int.MaxValue / StateChecksum.BucketSize;

    private readonly Queue<BucketChecksum> known = [];
    private int asked;

    /// <summary>The first from here on, which is never before the one of the last call; null behind the last.</summary>
    public async Task<BucketChecksum?> NextAsync(int from, CancellationToken ct)
    {
        while (true)
        {
            while (known.TryPeek(out var next))
            {
                if (next.Bucket >= from) return next;
                known.Dequeue();
            }

            asked = Math.Max(asked, from);
            if (asked > Highest) return null;
            foreach (var bucket in await writeSide.BucketsAsync(resource, asked, ct)) known.Enqueue(bucket);
            // The answer covers so many buckets from the first that is not empty; without one there is none any more.
            asked = known.TryPeek(out var first) ? first.Bucket + WriteSideClient.Buckets : Highest + 1;
        }
    }
}
