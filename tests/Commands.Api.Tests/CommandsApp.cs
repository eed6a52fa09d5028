using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Tests.Operations;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.OpenApi;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc.Testing;
using Npgsql;

namespace ApexShop.Commands.Api.Tests;

/// <summary>
/// The API on a socket of its own, as role <c>commands</c>, with a database of its own and no sequencer.
/// </summary>
public class CommandsApp : IAsyncLifetime
{
    public const string Key = "all-scopes";

    private TestDatabase? database;
    private FakeProjector? projector;
    private WebApplicationFactory<Program>? factory;
    private NpgsqlDataSource? superuser;
    private HttpClient? http;

    public HttpClient Http => http!;

    /// <summary>The address of the fake Projector, to which operator requests are forwarded.</summary>
    public string ProjectorUrl => projector!.Url;

    public TestDatabase Database => database!;

    public IServiceProvider Services => factory!.Services;

    public NpgsqlDataSource Superuser => superuser!;

    protected virtual (string Key, string Value)[] Settings => [];

    public async Task InitializeAsync()
    {
        database = await TestDatabase.CreateAsync(
            "shop", db => ShopMigration.ApplyAsync(db.ShopOwner, CancellationToken.None));
        superuser = NpgsqlDataSource.Create(database.Superuser);
        projector = await FakeProjector.StartAsync();
        factory = Start(database.Commands, [("Projector:Urls:0", projector.Url), .. Settings]);
        http = Client(factory, Key);
        projector.Describe = () => ApiDescription.ReadAsync(http);
    }

    public async Task DisposeAsync()
    {
        http?.Dispose();
        if (factory is not null) await factory.DisposeAsync();
        if (projector is not null) await projector.DisposeAsync();
        if (superuser is not null) await superuser.DisposeAsync();
        if (database is not null) await database.DisposeAsync();
    }

    /// <summary>The API on another database, or on none, or with other settings.</summary>
    internal static WebApplicationFactory<Program> Start(
        string connectionString, params (string Key, string Value)[] settings)
    {
        var factory = new WebApplicationFactory<Program>().WithWebHostBuilder(host =>
        {
            host.UseSetting("ConnectionStrings:Shop", connectionString);
            host.UseSetting(WebHostDefaults.ServerUrlsKey, "http://127.0.0.1:0");
            host.UseSetting("Outbox:Enabled", "false");
            host.UseSetting("Consistency:Key", TestKeys.Consistency);
            host.UseSetting("Limits:ChunkRows", "1000");
            // A test of expiry starts processes that look for expired orders all the time.
            host.UseSetting("Orders:ExpiryInterval", "01:00:00");
            host.UseSetting("PublicUrls:Queries", "https://shop.example/q");
            host.UseSetting("Sessions:Key", TestKeys.Sessions);
            // The tests of deliveries start processes that deliver.
            host.UseSetting("Webhooks:Key", TestKeys.Webhooks);
            host.UseSetting("Webhooks:Delivers", "false");
            // Tests log in more often than a customer may; the test of the limits sets its own.
            foreach (var limit in (string[])["SessionEmailRate", "SessionAddressRate"])
                host.UseSetting($"Limits:{limit}:Burst", "1000000");
            AddKey(host, 0, Key, [.. Scopes.All]);
            for (var i = 0; i < Scopes.All.Count; i++) AddKey(host, i + 1, Scopes.All[i], Scopes.All[i]);
            foreach (var (key, value) in settings) host.UseSetting(key, value);
        });
        factory.UseKestrel();
        return factory;
    }

    internal static HttpClient Client(WebApplicationFactory<Program> factory, string? key)
    {
        var client = factory.CreateClient();
        if (key is not null) client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        return client;
    }

    /// <summary>A client whose key is known by the name of its only scope; without a scope it has no key.</summary>
    public HttpClient ClientWith(string? scope) => Client(factory!, scope);

    public Task<Answer> PostAsync(string path, object body) => SendAsync(HttpMethod.Post, path, body);

    public Task<Answer> PutAsync(string path, object body, string? ifMatch = null) =>
        SendAsync(HttpMethod.Put, path, body, ifMatch);

    public Task<Answer> DeleteAsync(string path, string? ifMatch = null) =>
        SendAsync(HttpMethod.Delete, path, null, ifMatch);

    /// <summary>A string is sent as it stands, anything else as its JSON.</summary>
    public async Task<Answer> SendAsync(HttpMethod method, string path, object? body, string? ifMatch = null)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is string json) request.Content = new StringContent(json, Encoding.UTF8, "application/json");
        else if (body is not null) request.Content = JsonContent.Create(body);
        if (ifMatch is not null) request.Headers.TryAddWithoutValidation("If-Match", ifMatch);
        using var response = await Http.SendAsync(request);
        return await Answer.ReadAsync(response);
    }

    public async Task<T?> ScalarAsync<T>(string sql)
    {
        await using var command = Superuser.CreateCommand(sql);
        return await command.ExecuteScalarAsync() is T value ? value : default;
    }

    /// <summary>The outbox rows of one aggregate, oldest first.</summary>
    public async Task<List<OutboxEntry>> OutboxAsync(string resource, int id)
    {
        await using var command = Superuser.CreateCommand(
            $"SELECT type, version, data::text FROM shop.outbox WHERE resource = '{resource}' AND aggregate_id = "
            + $"{id} ORDER BY id");
        await using var reader = await command.ExecuteReaderAsync();
        var entries = new List<OutboxEntry>();
        while (await reader.ReadAsync())
            entries.Add(new OutboxEntry(reader.GetString(0), reader.GetInt64(1), reader.GetString(2)));
        return entries;
    }

    /// <summary>
    /// What every change must leave behind: the outbox's last row of the aggregate has this type and version, holds
    /// byte for byte what the row says now, and was written by the same transaction.
    /// </summary>
    public async Task<JsonElement> ShouldHaveSaidAsync(string resource, int id, string type, long version)
    {
        var said = (await OutboxAsync(resource, id))[^1];
        said.Type.ShouldBe(type);
        said.Version.ShouldBe(version);
        var function = $"{Resource.Of(resource).Singular}_state";
        said.Data.ShouldBe(
            await ScalarAsync<string>($"SELECT shop.{function}(r)::text FROM shop.{resource} AS r WHERE id = {id}"));
        (await ScalarAsync<bool>(
            $"""
            SELECT r.xmin = o.xmin FROM shop.{resource} AS r JOIN shop.outbox AS o ON o.resource = '{resource}'
                AND o.aggregate_id = r.id
            WHERE r.id = {id} ORDER BY o.id DESC LIMIT 1
            """)).ShouldBeTrue();
        return JsonDocument.Parse(said.Data).RootElement;
    }

    /// <summary>
    /// A deletion's last words: the row is gone, the event has the id and the version after the last.
    /// </summary>
    public async Task ShouldBeGoneAsync(string resource, int id, string type, long version)
    {
        (await ScalarAsync<long>($"SELECT count(*) FROM shop.{resource} WHERE id = {id}")).ShouldBe(0);
        (await OutboxAsync(resource, id))[^1]
            .ShouldBe(new OutboxEntry(type, version, $$"""{"id":{{id}},"version":{{version}}}"""));
    }

    private static void AddKey(IWebHostBuilder host, int index, string key, params string[] scopes)
    {
        host.UseSetting($"Access:Keys:{index}:Name", key);
        host.UseSetting(
            $"Access:Keys:{index}:Sha256", Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key))));
        for (var i = 0; i < scopes.Length; i++) host.UseSetting($"Access:Keys:{index}:Scopes:{i}", scopes[i]);
    }
}

public sealed record OutboxEntry(string Type, long Version, string Data);
