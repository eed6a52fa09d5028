using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Simulation.Tests.Planted;

/// <summary>The generations of a page are noted after it was read.</summary>
internal sealed class GenerationsAfterTheRead : Bugs
{
    public override ISharedCache SharedCache(ISharedCache cache) => new Late(cache);

    private sealed class Late(ISharedCache cache) : ISharedCache
    {
        public Task<SharedEntry?> FindAsync(CacheQuery query, CancellationToken ct) => cache.FindAsync(query, ct);

        public async Task StoreAsync(CacheQuery query, string fence, CachedResponse response, CancellationToken ct)
        {
            var now = await cache.FindAsync(query, ct);
            await cache.StoreAsync(query, now?.Fence ?? fence, response, ct);
        }

        public Task ReleaseAsync(CacheQuery query) => cache.ReleaseAsync(query);
    }
}

/// <summary>A query with a token does not wait for the last version.</summary>
internal sealed class TokenOfTheVersionBefore : Bugs
{
    public override IVersionReader Versions(IVersionReader versions) => new Early(versions);

    private sealed class Early(IVersionReader versions) : IVersionReader
    {
        public async Task<Dictionary<int, long>> ReadAsync(ReadModel resource, int[] ids, CancellationToken ct) =>
            (await versions.ReadAsync(resource, ids, ct)).ToDictionary(one => one.Key, one => one.Value + 1);
    }
}

/// <summary>It is not seen that tags wait for Redis.</summary>
internal sealed class PendingTagsAreNotSeen : Bugs
{
    public override IPendingState PendingState(IPendingState state) => new Blind(state);

    private sealed class Blind(IPendingState state) : IPendingState
    {
        public async Task<PendingChanges> ReadAsync() =>
            await state.ReadAsync() with { IsPending = false, Since = null };
    }
}
