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
        await using var replaced = await PrivatePostgres.StartAsync();
        await using var other = await PrivatePostgres.StartAsync();
        // The rights of the role that the shop has for queries.
        foreach (var server in (PrivatePostgres[])[replaced, other])
        {
            await ExecuteAsync(server, "CREATE ROLE queries LOGIN");
            await ExecuteAsync(server, "ALTER ROLE queries SET default_transaction_read_only = on");
        }

        await using var alone = ProbeOf($"127.0.0.1;Port={replaced.Port}");
        await using var both = ProbeOf($"127.0.0.1:{other.Port},127.0.0.1:{replaced.Port}");
        PrimaryProbe[] probes = [alone, both];
        foreach (var probe in probes)
            await Eventually.Holds(async () => !await IsRefusedAsync(probe), "the servers respond");

        await ExecuteAsync(replaced, "ALTER SYSTEM SET synchronous_standby_names = 'absent'");
        await ExecuteAsync(replaced, "SELECT pg_reload_conf()");
        await Eventually.Holds(async () => await IsRefusedAsync(alone), "the commit waits for the replica");
        foreach (var probe in (PrimaryProbe[])[.. probes, .. probes]) (await IsRefusedAsync(probe)).ShouldBeTrue();

        await ExecuteAsync(replaced, "ALTER SYSTEM RESET synchronous_standby_names");
        await ExecuteAsync(replaced, "SELECT pg_reload_conf()");
        await Eventually.Holds(async () => !await IsRefusedAsync(alone), "no commit waits");
        await Eventually.Holds(async () => !await IsRefusedAsync(both), "no commit of either server waits");

        await replaced.Node.KillAsync();
        (await IsRefusedAsync(alone)).ShouldBeTrue();
        await Eventually.Holds(async () => !await IsRefusedAsync(both), "the lost connection was replaced");
    }

    private static PrimaryProbe ProbeOf(string hosts) => new(Options.Create(new ReadingOptions
    {
        ConnectionString = $"Host={hosts};Username=queries;Database=postgres;Target Session Attributes=primary",
    }));

    private static async Task<bool> IsRefusedAsync(PrimaryProbe probe)
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

    private static async Task ExecuteAsync(PrivatePostgres server, string sql)
    {
        await using var superuser = new NpgsqlConnection($"{server.Superuser};Pooling=false");
        await superuser.OpenAsync();
        await using var command = new NpgsqlCommand(sql, superuser);
        await command.ExecuteNonQueryAsync();
    }

    private Task RequestAsync() => check.Check(_ =>
    {
        answered++;
        return Task.CompletedTask;
    })(new DefaultHttpContext());

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
