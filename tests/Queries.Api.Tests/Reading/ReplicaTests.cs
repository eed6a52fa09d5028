using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.Consistency;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Reading;

/// <summary>A primary and a replica for this test, and the API over both as in deploy/compose's cluster.</summary>
public sealed class ReplicaTests : IAsyncLifetime
{
    private PrivatePostgres primary = null!;
    private PrivatePostgres replica = null!;
    private TestDatabase database = null!;
    private DocumentSeeder documents = null!;
    private QueriesApp app = null!;
    private HttpClient http = null!;

    public async Task InitializeAsync()
    {
        primary = await PrivatePostgres.StartAsync();
        replica = await primary.FollowAsync();
        database = await DocumentSeeder.CreateDatabaseAsync(primary.Superuser);
        documents = new DocumentSeeder(database);
        await PutAsync(1);
        app = new QueriesApp(
            $"{At($"127.0.0.1:{replica.Port},127.0.0.1:{primary.Port}")};Target Session Attributes=primary")
            .With("ConnectionStrings:ReadStreams", At($"127.0.0.1:{replica.Port}"))
            .With("Consistency:WaitMilliseconds", 200)
            .WithCache();
        http = app.CreateClient();
        await Eventually.Holds(
            async () => await StatusAsync("products/stream", token: false) == HttpStatusCode.OK,
            "the replica has the tables");
        await Eventually.Holds(
            async () => (await StreamAsync()).Contains("\"id\":1", StringComparison.Ordinal),
            "the replica has followed");
    }

    public async Task DisposeAsync()
    {
        http.Dispose();
        await app.DisposeAsync();
        await replica.DisposeAsync();
        if (primary.Node.IsRunning) await database.DisposeAsync();
        await primary.DisposeAsync();
    }

    [Fact]
    public async Task Cached_queries_read_the_primary_and_a_stream_with_a_token_waits_for_the_replica()
    {
        await OnReplicaAsync("SELECT pg_wal_replay_pause()");
        await PutAsync(2);

        (await http.GetStringAsync("products/2")).ShouldContain("\"id\":2");
        (await http.GetStringAsync("products/cursor")).ShouldContain("\"id\":2");
        (await http.GetStringAsync("products/v2?q=two")).ShouldContain("\"id\":2");
        (await StreamAsync()).ShouldNotContain("\"id\":2");
        (await StatusAsync("products/stream")).ShouldBe(HttpStatusCode.ServiceUnavailable);
        (await StatusAsync("products/export/ndjson")).ShouldBe(HttpStatusCode.ServiceUnavailable);
        await Eventually.Holds(
            async () => await StatusAsync("products/2") == HttpStatusCode.OK, "the primary has the change");

        await OnReplicaAsync("SELECT pg_wal_replay_resume()");
        await Eventually.Holds(
            async () => await StatusAsync("products/stream") == HttpStatusCode.OK, "the replica has the change");
        (await StreamAsync()).ShouldContain("\"id\":2");
    }

    [Fact]
    public async Task After_a_failover_everything_is_read_from_the_promoted_replica()
    {
        await primary.Node.KillAsync();
        await OnReplicaAsync("SELECT pg_promote()");

        await Eventually.Holds(
            async () => await StatusAsync("products/1", token: false) == HttpStatusCode.OK, "the new primary is found");
        (await http.GetStringAsync("products/cursor")).ShouldContain("\"id\":1");
    }

    [Fact]
    public async Task A_host_that_is_silent_does_not_make_the_process_unready()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var hosts = $"127.0.0.1:{((IPEndPoint)silent.LocalEndpoint).Port},127.0.0.1:{primary.Port}";
        await using var cluster = new QueriesApp($"{At(hosts)};Target Session Attributes=primary");
        using var client = cluster.CreateClient();

        await Eventually.Holds(
            async () => (await client.GetAsync("health/ready")).IsSuccessStatusCode, "the primary is found");
    }

    [Fact]
    public async Task Streams_are_read_from_one_host_or_the_process_does_not_start()
    {
        await using var wrong = new QueriesApp(database.Queries).With("ConnectionStrings:ReadStreams", At("one,two"));

        Should.Throw<Exception>(wrong.CreateClient).ToString().ShouldContain("ReadStreams must name one host");
    }

    private string At(string hosts) =>
        new NpgsqlConnectionStringBuilder(database.Queries) { Host = hosts, Port = replica.Port }.ConnectionString;

    private Task PutAsync(int id) => documents.PutAsync(
        "products", [id], one => Encoding.UTF8.GetBytes($"{{\"id\":{one},\"name\":\"{(one == 1 ? "one" : "two")}\"}}"));

    private Task<string> StreamAsync() => http.GetStringAsync("products/stream");

    private async Task<HttpStatusCode> StatusAsync(string path, bool token = true)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (token)
            request.Headers.Add(
                ConsistencyToken.Header,
                TestKeys.Tokens.Write(new ConsistencyToken([new("products", 2, 1)])));
        using var answer = await http.SendAsync(request);
        return answer.StatusCode;
    }

    private async Task OnReplicaAsync(string sql)
    {
        await using var connection = new NpgsqlConnection($"{replica.Superuser};Pooling=false");
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
