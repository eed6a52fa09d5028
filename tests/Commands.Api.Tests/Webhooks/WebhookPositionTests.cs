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
    public async Task A_removal_that_begins_during_a_creation_keeps_the_events_of_the_new_webhook()
    {
        await using var process = CommandsApp.Start(App.Database.Commands, ("Events:KeepDays", "2"));
        await using var creation = await App.Database.HoldAsync(
            """
            LOCK TABLE shop.webhooks IN ACCESS EXCLUSIVE MODE;
            INSERT INTO shop.webhooks (url, description, types, is_active, key_id, position)
            VALUES ('https://example.com/all', '', '{}', true, '', 0)
            """);

        var removal = process.Services.GetRequiredService<LogCompaction>().RunAsync(CancellationToken.None);
        await App.Database.HeldUpAsync("commands");
        await CommitAsync(creation);

        (await removal).ShouldBe(0);
        (await ReadAsync("/events")).Positions.Count.ShouldBe(Head);
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
