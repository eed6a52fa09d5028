using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Mvc.Testing;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>
/// A primary whose replica does not respond: that of a cluster which was replaced and does not know it yet.
/// </summary>
public sealed class PrimaryCheckTests : IAsyncLifetime
{
    private PrivatePostgres server = null!;
    private TestDatabase database = null!;
    private NpgsqlDataSource superuser = null!;
    private WebApplicationFactory<Program> factory = null!;
    private HttpClient http = null!;

    public async Task InitializeAsync()
    {
        server = await PrivatePostgres.StartAsync();
        database = await TestDatabase.CreateAsync(
            "shop", db => ShopMigration.ApplyAsync(db.ShopOwner, CancellationToken.None), server.Superuser);
        superuser = NpgsqlDataSource.Create(database.Superuser);
        factory = CommandsApp.Start(database.Commands);
        http = CommandsApp.Client(factory, CommandsApp.Key);
    }

    public async Task DisposeAsync()
    {
        http.Dispose();
        await factory.DisposeAsync();
        await superuser.DisposeAsync();
        await server.DisposeAsync();
    }

    [Fact]
    public async Task A_stored_response_is_sent_when_the_replica_has_it()
    {
        var first = await CreateAsync("first");
        first.Answer.Status.ShouldBe(HttpStatusCode.Created, first.Answer.Text);
        await LoseReplicaAsync();

        var repeated = CreateAsync("first");
        await Eventually.Holds(async () => await WaitingAsync() == 1, "its commit waits for the replica");
        repeated.IsCompleted.ShouldBeFalse();

        await RegainReplicaAsync();
        (await repeated).ShouldRepeat(first);
    }

    [Fact]
    public async Task A_position_of_another_log_is_refused_when_the_replica_responds()
    {
        await LoseReplicaAsync();

        var refused = http.GetAsync("/events?after=1&log=000000000000");
        await Eventually.Holds(async () => await WaitingAsync() == 1, "the check waits for the replica");
        refused.IsCompleted.ShouldBeFalse();

        await RegainReplicaAsync();
        using var response = await refused;
        response.StatusCode.ShouldBe(HttpStatusCode.Gone);
    }

    [Fact]
    public async Task A_caller_that_disconnects_does_not_end_the_wait_of_the_commit()
    {
        await LoseReplicaAsync();

        using var gone = new CancellationTokenSource();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/categories")
        {
            Content = JsonContent.Create(new { name = "Lights" }), Headers = { { "Idempotency-Key", "gone" } },
        };
        var response = http.SendAsync(request, gone.Token);
        await Eventually.Holds(async () => await WaitingAsync() == 1, "the commit waits for the replica");
        await gone.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(response);

        // A cancelled commit ends within milliseconds.
        await Task.Delay(TimeSpan.FromSeconds(1));
        (await WaitingAsync()).ShouldBe(1);
        (await ScalarAsync<long>("SELECT count(*) FROM shop.categories")).ShouldBe(0);
        await RegainReplicaAsync();
        await Eventually.Holds(
            async () => await ScalarAsync<long>("SELECT count(*) FROM shop.categories") == 1, "it is committed");
    }

    private Task<KeyedResponse> CreateAsync(string key) =>
        http.SendKeyedAsync(key, HttpMethod.Post, "/categories", new { name = "Lights" });

    private async Task LoseReplicaAsync()
    {
        await ExecuteAsync("ALTER SYSTEM SET synchronous_standby_names = 'absent'");
        await ExecuteAsync("SELECT pg_reload_conf()");
        await Eventually.Holds(CommitsWaitAsync, "commits wait for the replica");
    }

    private async Task RegainReplicaAsync()
    {
        await ExecuteAsync("ALTER SYSTEM RESET synchronous_standby_names");
        await ExecuteAsync("SELECT pg_reload_conf()");
    }

    // PostgreSQL warns that a commit whose wait was cancelled is not replicated.
    private async Task<bool> CommitsWaitAsync()
    {
        await using var connection = new NpgsqlConnection(
            $"{database.Superuser};Pooling=false;Command Timeout=1");
        await connection.OpenAsync();
        var isWarned = false;
        connection.Notice += (_, notice) =>
            isWarned |= notice.Notice.MessageText.Contains("synchronous replication", StringComparison.Ordinal);
        await using var command = new NpgsqlCommand($"SELECT {PrimaryCheck.Sql}", connection);
        await command.ExecuteNonQueryAsync();
        return isWarned;
    }

    private Task<long> WaitingAsync() =>
        ScalarAsync<long>("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");

    private async Task<T> ScalarAsync<T>(string sql)
    {
        await using var command = superuser.CreateCommand(sql);
        return (T)(await command.ExecuteScalarAsync())!;
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var command = superuser.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
