using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>An app with a Redis of its own, which the test may break.</summary>
public abstract class PrivateRedisTest(CachedShop shop) : IClassFixture<CachedShop>, IAsyncLifetime, IDisposable
{
    protected CachedShop Shop => shop;

    protected PrivateRedis Redis { get; } = new();

    protected HttpClient Http { get; private set; } = null!;

    private protected QueriesApp App { get; private set; } = null!;

    private protected TagFence Fence { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        await Redis.StartAsync();
        App = Configure(new QueriesApp(shop.Database.Queries).WithCache()
            .With("ConnectionStrings:Redis", Redis.Configuration).WithKey(0, ReadShop.Key, Access.Scopes.EventsRead));
        Http = App.CreateClient();
        Fence = App.Services.GetRequiredService<TagFence>();
        await LiveAsync();
    }

    public async Task DisposeAsync()
    {
        Http.Dispose();
        await App.DisposeAsync();
    }

    public void Dispose()
    {
        Redis.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected virtual QueriesApp Configure(QueriesApp queries) => queries;

    // The client library reconnects by itself within about ten seconds.
    protected Task LiveAsync() =>
        Eventually.Holds(() => Fence.IsLive, "announcements are received", TimeSpan.FromSeconds(60));
}
