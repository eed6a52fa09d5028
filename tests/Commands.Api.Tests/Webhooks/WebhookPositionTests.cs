using System.Net;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Tests.Events;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>A webhook that begins at a position gets every event after it, or is refused.</summary>
public sealed class WebhookPositionTests : LogShop
{
    private const int Head = 100;

    private static readonly object receiver = new { url = "https://example.com/all" };

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        await FillAsync(1, Head, aggregates: 5);
        await ExecuteAsync("UPDATE shop.events SET time = now() - interval '3 days'");
        await ExecuteAsync($"UPDATE shop.log_positions SET position = {Head} WHERE name = 'published'");
    }

    [Fact]
    public async Task A_position_after_which_events_were_removed_is_refused()
    {
        await ExecuteAsync("SELECT * FROM shop.compact_log(now() - interval '2 days', 1000)");

        await ShouldBeRefusedAsync(App.PostAsync("/admin/webhooks?position=0", receiver));
        (await App.PostAsync($"/admin/webhooks?position={Head}", receiver)).Status.ShouldBe(HttpStatusCode.Created);
    }

    [Fact]
    public async Task A_position_after_which_events_are_being_removed_is_refused()
    {
        await using var removal = await App.Database.HoldAsync(
            "SELECT * FROM shop.compact_log(now() - interval '2 days', 1000)");

        var creation = App.PostAsync("/admin/webhooks?position=0", receiver);
        await App.Database.HeldUpAsync("commands");
        await CommitAsync(removal);

        await ShouldBeRefusedAsync(creation);
    }

    [Fact]
    public async Task No_removal_begins_before_the_new_webhook_is_there()
    {
        await using var process = CommandsApp.Start(App.Database.Commands, ("Events:KeepDays", "2"));
        var removals = process.Services.GetRequiredService<LogCompaction>();
        await using var stopped = await App.Database.HoldAsync(
            "LOCK TABLE shop.log_removals IN ACCESS EXCLUSIVE MODE");
        var creation = App.PostAsync("/admin/webhooks?position=0", receiver);
        await App.Database.HeldUpAsync("commands");

        (await removals.RunAsync(CancellationToken.None)).ShouldBe(0);
        await CommitAsync(stopped);

        (await creation).Status.ShouldBe(HttpStatusCode.Created);
        (await removals.RunAsync(CancellationToken.None)).ShouldBe(0);
        (await ReadAsync("/events")).Positions.Count.ShouldBe(Head);
    }

    [Fact]
    public async Task A_backup_that_reads_the_webhooks_does_not_delay_a_creation()
    {
        await using var backup = await App.Database.HoldAsync("LOCK TABLE shop.webhooks IN ACCESS SHARE MODE");

        (await App.PostAsync("/admin/webhooks?position=0", receiver)).Status.ShouldBe(HttpStatusCode.Created);
    }

    private async Task ShouldBeRefusedAsync(Task<Answer> creation)
    {
        var answer = await creation;
        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Text.ShouldContain("\"position\"");
        (await App.ScalarAsync<long>("SELECT count(*) FROM shop.webhooks")).ShouldBe(0);
    }

    private static async Task CommitAsync(NpgsqlConnection connection)
    {
        await using var commit = new NpgsqlCommand("COMMIT", connection);
        await commit.ExecuteNonQueryAsync();
    }
}
