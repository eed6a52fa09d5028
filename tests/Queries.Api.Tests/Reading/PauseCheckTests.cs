using ApexShop.Queries.Api.Reading;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Reading;

public sealed class PauseCheckTests : IDisposable
{
    private static readonly TimeSpan pause = TimeSpan.FromSeconds(21);

    private readonly ManualClock clock = new();
    private readonly Primary primary = new();
    private readonly PauseCheck check;
    private int answered;

    public PauseCheckTests() => check = new(primary, clock);

    public void Dispose() => check.Dispose();

    [Fact]
    public async Task Requests_pass_without_a_probe_while_the_process_runs()
    {
        for (var half = 0; half < 60; half++)
        {
            clock.Advance(TimeSpan.FromMilliseconds(500));
            await check.CheckAsync();
            RequestAsync().IsCompletedSuccessfully.ShouldBeTrue();
        }

        (answered, primary.Asked).ShouldBe((60, 0));
    }

    [Fact]
    public async Task After_a_pause_requests_wait_until_the_server_is_the_primary()
    {
        clock.Advance(pause);
        var request = RequestAsync();
        answered.ShouldBe(0);

        primary.IsReplaced = true;
        await check.CheckAsync();
        RequestAsync().IsCompleted.ShouldBeFalse();
        primary.IsReplaced = false;
        await check.CheckAsync();

        await request;
        RequestAsync().IsCompletedSuccessfully.ShouldBeTrue();
        primary.Asked.ShouldBe(2);
    }

    [Fact]
    public async Task A_pause_during_the_probe_is_another_one()
    {
        clock.Advance(pause);
        primary.OnAsked = () => clock.Advance(pause);
        await check.CheckAsync();
        RequestAsync().IsCompleted.ShouldBeFalse();
    }

    [Fact]
    public async Task Without_a_primary_a_request_ends_as_if_the_database_were_unavailable()
    {
        clock.Advance(pause);
        var request = RequestAsync();
        clock.Advance(pause);
        await Should.ThrowAsync<NpgsqlException>(request);
        answered.ShouldBe(0);
    }

    [Fact]
    public async Task A_server_whose_replica_follows_another_one_is_no_primary()
    {
        await using var server = await PrivatePostgres.StartAsync();
        await using var superuser = NpgsqlDataSource.Create(server.Superuser);
        // The rights of the role that the shop has for queries.
        await ExecuteAsync("CREATE ROLE queries LOGIN");
        await ExecuteAsync("ALTER ROLE queries SET default_transaction_read_only = on");
        var queries = new NpgsqlConnectionStringBuilder(server.Superuser) { Username = "queries" }.ConnectionString;
        await using var probe = new PrimaryProbe(Options.Create(new ReadingOptions { ConnectionString = queries }));
        await probe.ProbeAsync();

        await ExecuteAsync("ALTER SYSTEM SET synchronous_standby_names = 'absent'");
        await ExecuteAsync("SELECT pg_reload_conf()");
        await Eventually.Holds(async () => await IsRefusedAsync(), "the commit waits for the replica");

        await ExecuteAsync("ALTER SYSTEM RESET synchronous_standby_names");
        await ExecuteAsync("SELECT pg_reload_conf()");
        await Eventually.Holds(async () => !await IsRefusedAsync(), "no commit waits");

        async Task<bool> IsRefusedAsync()
        {
            try
            {
                await probe.ProbeAsync();
                return false;
            }
            catch (Exception failure) when (failure is OperationCanceledException or NpgsqlException)
            {
                return true;
            }
        }

        async Task ExecuteAsync(string sql)
        {
            await using var command = superuser.CreateCommand(sql);
            await command.ExecuteNonQueryAsync();
        }
    }

    private Task RequestAsync() => check.InvokeAsync(new DefaultHttpContext(), _ =>
    {
        answered++;
        return Task.CompletedTask;
    });

    private sealed class Primary : IPrimaryProbe
    {
        public bool IsReplaced { get; set; }

        public Action OnAsked { get; set; } = () => { };

        public int Asked { get; private set; }

        public Task ProbeAsync()
        {
            Asked++;
            OnAsked();
            return IsReplaced ? Task.FromException(new TimeoutException()) : Task.CompletedTask;
        }
    }
}
