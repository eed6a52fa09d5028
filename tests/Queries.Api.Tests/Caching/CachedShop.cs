using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>Thirty of each resource behind the cache, and the writer of its tags.</summary>
public class CachedShop : FewOfEach
{
    internal TagWriter Tags { get; private set; } = null!;

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        Tags = await TagWriter.ConnectAsync(Servers.Redis, App.CachePrefix);
        await ReceivesAnnouncementsAsync();
    }

    public override async Task DisposeAsync()
    {
        Tags?.Dispose();
        await base.DisposeAsync();
    }

    /// <summary>Changes a document like a commit of the projector whose tags were not raised yet.</summary>
    public Task RenameAsync(string resource, int id, string name) => ExecuteAsync(
        $"""
        UPDATE read.{resource} SET version = version + 1, revision = revision + 1000, body = convert_to($2, 'UTF8')
        WHERE id = $1
        """,
        id,
        $"{{\"id\":{id},\"name\":\"{name}\"}}");

    // A pause of this machine must not cause a read of the database instead of a cache.
    private protected override QueriesApp Configure(QueriesApp queries) => base.Configure(queries).WithCache()
        .With("Caching:RedisMilliseconds", 10_000).With("Caching:UnavailableSeconds", 60);
}
