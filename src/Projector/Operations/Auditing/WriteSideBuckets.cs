using ApexShop.Events;
using ApexShop.Operations;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>The buckets with rows of one resource, in order, which are read a few at a time.</summary>
internal sealed class WriteSideBuckets(WriteSideClient writeSide, string resource)
{
    private const int Highest = int.MaxValue / StateChecksum.BucketSize;

    private readonly Queue<BucketChecksum> known = [];
    private int position;

    /// <summary>The next bucket, which is never before that of the previous call; null after the last.</summary>
    public async Task<BucketChecksum?> NextAsync(int from, CancellationToken ct)
    {
        while (true)
        {
            while (known.TryPeek(out var next))
            {
                if (next.Bucket >= from) return next;
                known.Dequeue();
            }

            position = Math.Max(position, from);
            if (position > Highest) return null;
            foreach (var bucket in await writeSide.BucketsAsync(resource, position, ct)) known.Enqueue(bucket);
            // The response covers a fixed number of buckets from the first that is not empty; an empty one is the end.
            position = known.TryPeek(out var first) ? first.Bucket + WriteSideClient.Buckets : Highest + 1;
        }
    }
}
