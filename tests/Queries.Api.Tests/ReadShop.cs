using System.Net.Http.Headers;
using ApexShop.Access;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Queries.Api.Tests;

/// <summary>A read schema for one test class, filled as the projector does, and the API over it.</summary>
public abstract class ReadShop : IAsyncLifetime
{
    /// <summary>A key that may read everything.</summary>
    public const string Key = "reader";

    private TestDatabase? database;
    private DocumentSeeder? documents;
    private QueriesApp? app;

    public HttpClient Http { get; private set; } = null!;

    public TestDatabase Database => database!;

    internal QueriesApp App => app!;

    public virtual async Task InitializeAsync()
    {
        database = await DocumentSeeder.CreateDatabaseAsync();
        documents = new DocumentSeeder(database);
        await SeedAsync();
        app = Configure(
            new QueriesApp(database.Queries)
                .WithKey(0, Key, Scopes.OrdersRead, Scopes.UsersRead, Scopes.UsersErase, Scopes.MetricsRead,
                    Scopes.EventsRead));
        Http = app.CreateClient();
        Http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Key);
    }

    public virtual async Task DisposeAsync()
    {
        Http?.Dispose();
        if (app is not null) await app.DisposeAsync();
        if (database is not null) await database.DisposeAsync();
    }

    public Task PutAsync(string resource, IReadOnlyCollection<int> ids, Func<int, byte[]>? body = null) =>
        documents!.PutAsync(resource, ids, body ?? (id => Documents.Body(resource, id)));

    public Task DeleteAsync(string resource, IReadOnlyCollection<int> ids) => documents!.DeleteAsync(resource, ids);

    public Task EmptyAsync(string resource) => documents!.EmptyAsync(resource);

    public Task ExecuteAsync(string sql, params object[] values) => documents!.ExecuteAsync(sql, values);

    /// <summary>Locks a table until the connection is disposed of.</summary>
    public Task<NpgsqlConnection> LockAsync(string table) => documents!.LockAsync(table);

    /// <summary>
    /// Opens a connection for each of the searches, which wait for this table at the same time: a first connection may
    /// take longer than a search waits for one.
    /// </summary>
    public Task OpenTogetherAsync(HttpClient http, string table, params string[] searches) => Eventually.Holds(
        async () =>
        {
            await using var locked = await LockAsync(table);
            Task<HttpResponseMessage>[] sent = [.. searches.Select(path => http.GetAsync(path))];
            await Eventually.Holds(
                async () => await WaitingAsync() + sent.Count(one => one.IsCompleted) >= sent.Length, "all wait");
            await locked.DisposeAsync();
            return (await Task.WhenAll(sent)).All(one => one.IsSuccessStatusCode);
        },
        "each search has a connection");

    /// <summary>The number of connections of Queries.Api that wait for a lock.</summary>
    public async Task<long> WaitingAsync()
    {
        await using var superuser = new NpgsqlConnection(Database.Superuser);
        await superuser.OpenAsync();
        await using var count = new NpgsqlCommand(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = 'queries' AND wait_event_type = 'Lock'
            """,
            superuser);
        return (long)(await count.ExecuteScalarAsync())!;
    }

    /// <summary>Waits until the app receives the announcements, which readiness does not need.</summary>
    protected Task ReceivesAnnouncementsAsync()
    {
        var fence = App.Services.GetRequiredService<TagFence>();
        // Redis is used after the first proof that every change was announced, which follows.
        return Eventually.Holds(() => fence.IsUpToDate, "announcements are received");
    }

    private protected virtual QueriesApp Configure(QueriesApp queries) => queries;

    protected abstract Task SeedAsync();
}

/// <summary>Thirty of each resource, three of them deleted.</summary>
public class FewOfEach : ReadShop
{
    public static IReadOnlyList<int> Deleted { get; } = [5, 12, 30];

    public static IReadOnlyList<int> Living { get; } = [.. Enumerable.Range(1, 30).Except(Deleted)];

    protected override async Task SeedAsync()
    {
        foreach (var resource in Documents.Resources)
        {
            await PutAsync(resource, [.. Enumerable.Range(1, 30)]);
            await DeleteAsync(resource, Deleted);
        }
    }
}

/// <summary>As many products as the seeded shop has.</summary>
public sealed class ManyProducts : ReadShop
{
    public const int Count = 15_000;

    protected override async Task SeedAsync()
    {
        await PutAsync("products", [.. Enumerable.Range(1, Count)]);
        await ExecuteAsync("ANALYZE");
    }
}
