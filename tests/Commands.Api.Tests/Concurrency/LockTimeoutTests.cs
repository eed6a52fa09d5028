using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Concurrency;

/// <summary>A command that waits for a row for too long is refused, and the process stays ready meanwhile.</summary>
public sealed class LockTimeoutTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_command_that_waits_too_long_is_refused_with_Retry_After_and_changes_nothing()
    {
        await using var api = CommandsApp.Start(app.Database.Commands, ("Persistence:LockSeconds", "0.3"));
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        var id = await app.CategoryAsync();
        await using (await HeldRow.LockAsync(app, "categories", id))
        {
            using var response = await PutAsync(http, id);

            response.Headers.RetryAfter!.Delta.ShouldNotBeNull();
            (await Answer.ReadAsync(response)).ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "lock.timeout");
        }

        (await app.VersionAsync("categories", id)).ShouldBe(1);
        (await Answer.ReadAsync(await PutAsync(http, id))).ShouldBeReplaced(id, 2);
    }

    [Fact]
    public async Task A_change_does_not_wait_for_rows_that_are_inserted_and_refer_to_it()
    {
        await using var api = CommandsApp.Start(app.Database.Commands, ("Persistence:LockSeconds", "0.3"));
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        var id = await app.CategoryAsync();
        await using var reference = await HeldRow.LockAsync(app, "categories", id, "FOR KEY SHARE");

        (await Answer.ReadAsync(await PutAsync(http, id))).ShouldBeReplaced(id, 2);
    }

    [Fact]
    public async Task A_refusal_is_not_stored_under_the_Idempotency_Key()
    {
        await using var api = CommandsApp.Start(app.Database.Commands, ("Persistence:LockSeconds", "0.3"));
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        var (user, product) = (await app.UserAsync(), await app.ProductAsync());
        var (key, body) = (Guid.NewGuid().ToString(), ShopBuilder.OrderBody(user, (product, 1)));
        await using (await HeldRow.LockAsync(app, "products", product))
        {
            (await http.SendKeyedAsync(key, HttpMethod.Post, "/orders", body)).Answer
                .ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "lock.timeout");
        }

        (await http.SendKeyedAsync(key, HttpMethod.Post, "/orders", body)).Answer.ShouldBeCreated("orders");
    }

    [Fact]
    public async Task The_process_is_ready_while_waiting_commands_use_every_connection_of_the_pool()
    {
        const int connections = 2;
        await using var api = CommandsApp.Start($"{app.Database.Commands};Maximum Pool Size={connections}");
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        var id = await app.CategoryAsync();
        await using var held = await HeldRow.LockAsync(app, "categories", id);
        var waiting = Enumerable.Range(0, 2 * connections).Select(_ => PutAsync(http, id)).ToList();
        await held.WaitedForByAsync(connections);

        await Eventually.Holds(
            async () => (await http.GetAsync("/health/ready")).IsSuccessStatusCode, "the process is ready");

        await held.CommitAsync();
        foreach (var response in await Task.WhenAll(waiting)) response.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    private static Task<HttpResponseMessage> PutAsync(HttpClient http, int id) =>
        http.PutAsync($"/categories/{id}", JsonContent.Create(new { name = "x" }));
}
