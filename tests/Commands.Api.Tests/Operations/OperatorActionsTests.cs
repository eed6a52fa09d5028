using System.Net;
using ApexShop.Commands.Api.Tests.Access;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Operations;

/// <summary>What operators do is recorded with the name of their key; what they only read is not.</summary>
public sealed class OperatorActionsTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Trace = "0af7651916cd43dd8448eb211c80319c";

    [Theory]
    [InlineData("POST", "/admin/projections/rebuild", "StartRebuild")]
    [InlineData("POST", "/admin/projections/rollback", "RollBackRebuild")]
    [InlineData("DELETE", "/admin/projections/previous", "DropPrevious")]
    [InlineData("POST", "/admin/parked/products/17/replay", "ReplayParked")]
    [InlineData("POST", "/admin/parked/replay?limit=3", "ReplayAllParked")]
    [InlineData("POST", "/admin/parked/products/17/heal", "HealAggregate")]
    [InlineData("DELETE", "/admin/parked/products/17", "DiscardParked")]
    [InlineData("POST", "/admin/dead-letters/3/replay?dryRun=false", "ReplayDeadLetter")]
    [InlineData("DELETE", "/admin/dead-letters/3", "DiscardDeadLetter")]
    [InlineData("POST", "/admin/audit?repair=true", "AuditDocuments")]
    [InlineData("POST", "/admin/seed", "SeedShop")]
    public async Task An_action_is_recorded_with_key_path_time_and_trace(string method, string path, string action)
    {
        await SendAsync(method, path);

        var record = await app.ScalarAsync<string>(
            "SELECT concat_ws(' ', actor, path, correlation_id, time BETWEEN now() - interval '1 minute' AND now()) "
            + $"FROM shop.operator_actions WHERE action = '{action}' ORDER BY id DESC LIMIT 1");
        record.ShouldBe($"admin {path.Split('?')[0]} {Trace} t");
    }

    [Theory]
    [InlineData("GET", "/admin/parked")]
    [InlineData("POST", "/admin/audit")]
    [InlineData("POST", "/admin/audit?repair=false")]
    [InlineData("POST", "/admin/parked/replay?dryRun=true")]
    public async Task A_request_that_changes_nothing_is_not_recorded(string method, string path)
    {
        var before = await app.ScalarAsync<long>("SELECT count(*) FROM shop.operator_actions");

        await SendAsync(method, path);

        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.operator_actions")).ShouldBe(before);
    }

    [Fact]
    public async Task A_record_is_deleted_after_its_retention()
    {
        await app.ScalarAsync<object>(
            "INSERT INTO shop.operator_actions (time, actor, action, path) VALUES "
            + "(now() - interval '401 days', 'old', 'x', '/'), (now() - interval '399 days', 'kept', 'x', '/')");

        await SendAsync("POST", "/admin/projections/rebuild");

        (await app.ScalarAsync<string>(
            "SELECT string_agg(actor, ' ') FROM shop.operator_actions WHERE actor IN ('old', 'kept')"))
            .ShouldBe("kept");
    }

    [Fact]
    public async Task Without_the_database_an_action_is_executed_and_logged()
    {
        using var logs = new CollectedLogs();
        await using var parent = CommandsApp.Start(
            "Host=127.0.0.1;Port=1;Username=none;Timeout=1", ("Projector:Urls:0", app.ProjectorUrl));
        await using var alone = parent.WithWebHostBuilder(host =>
            host.ConfigureServices(services => services.AddSingleton<ILoggerProvider>(logs)));
        using var http = CommandsApp.Client(alone, CommandsApp.Key);

        using var response = await http.PostAsync("/admin/projections/rebuild", null);

        response.StatusCode.ShouldBe(HttpStatusCode.Accepted);
        logs.Lines.ShouldContain(
            line => line.StartsWith("Operator action StartRebuild has no row", StringComparison.Ordinal));
    }

    private async Task SendAsync(string method, string path)
    {
        using var http = app.ClientWith("admin");
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), path);
        request.Headers.Add("traceparent", $"00-{Trace}-b7ad6b7169203331-01");
        using var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        response.IsSuccessStatusCode.ShouldBeTrue($"{response.StatusCode}");
    }
}
