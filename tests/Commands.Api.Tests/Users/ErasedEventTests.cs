using System.Net;
using System.Text.RegularExpressions;
using ApexShop.Commands.Api.Tests.Events;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Users;

/// <summary>The event log without a person; some events are in the log, and some wait for the sequencer.</summary>
public sealed partial class ErasedEventTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Earlier_events_lose_the_person_and_nothing_else()
    {
        var product = await app.ProductAsync();
        var (user, order) = await app.BuyerAsync(product);
        var deleted = await app.OrderOfAsync(user, (product, 1));
        await LogShop.SequenceAsync(app);
        var waiting = await app.OrderOfAsync(user, (product, 2));
        foreach (var id in (int[])[deleted, waiting]) await app.DeleteAsync($"/orders/{id}");
        var before = await app.EventsAsync(user, order, deleted, waiting);
        before.Count.ShouldBe(10);

        (await app.EraseAsync(user)).Status.ShouldBe(HttpStatusCode.NoContent);

        var after = await app.EventsAsync(user, order, deleted, waiting);
        after.Count.ShouldBe(before.Count + 2);
        after.Take(before.Count).ShouldBe(before.Select(Expected));
        after.ShouldAllBe(one => !one.Contains("Analytical") && !one.Contains("Lovelace") && !one.Contains("TRACK"));
        // As they would be without an erasure: the amounts have their zeros, and the members their order.
        after.ShouldContain(one => one.Contains("\"totalAmount\":12.50,\"shippingAddress\":\"Erased\",\"tracking"));

        string Expected(string one)
        {
            var erased = Address().Replace(one, "\"shippingAddress\":\"Erased\"");
            erased = Tracking().Replace(erased, "\"trackingNumber\":null");
            erased = Login().Replace(erased, "\"lastLoginDate\":null");
            erased = Mail().Replace(erased, $"\"email\":\"erased-{user}@erased.invalid\"");
            return erased.Replace("\"firstName\":\"Ada\",\"lastName\":\"Lovelace\",\"phoneNumber\":null",
                "\"firstName\":\"Erased\",\"lastName\":\"Customer\",\"phoneNumber\":null");
        }
    }

    [Fact]
    public async Task A_deleted_user_is_erased_from_the_log_and_an_unknown_one_is_not_found()
    {
        var user = await app.UserAsync();
        var order = await app.OrderOfAsync(user, (await app.ProductAsync(), 1));
        await LogShop.SequenceAsync(app);
        foreach (var path in (string[])[$"/orders/{order}", $"/users/{user}"]) await app.DeleteAsync(path);
        var count = (await app.EventsAsync(user, order)).Count;

        (await app.EraseAsync(user)).Status.ShouldBe(HttpStatusCode.NoContent);

        var after = await app.EventsAsync(user, order);
        after.Count.ShouldBe(count);
        after.ShouldAllBe(one => !one.Contains("Analytical") && !one.Contains("Lovelace"));
        (await app.EraseAsync(2_147_483_647)).ShouldBeProblem(HttpStatusCode.NotFound, "user.not_found");
    }

    [Fact]
    public async Task Each_erasure_has_one_record_an_event_or_a_row_for_a_user_who_is_deleted()
    {
        var (user, deleted) = (await app.UserAsync(), await app.UserAsync());
        await LogShop.SequenceAsync(app);
        await app.DeleteAsync($"/users/{deleted}");

        foreach (var id in (int[])[user, deleted])
            (await app.EraseAsync(id)).Status.ShouldBe(HttpStatusCode.NoContent);

        (await app.EventsAsync(user, 0)).Count(one => one.Contains($"user.erased|users|{user}|")).ShouldBe(1);
        (await app.ScalarAsync<string>(
            "SELECT string_agg(concat_ws(' ', actor, action, path, correlation_id IS NOT NULL), ',') FROM "
            + $"shop.operator_actions WHERE path IN ('/users/{user}/erase', '/users/{deleted}/erase')"))
            .ShouldBe($"{CommandsApp.Key} EraseUser /users/{deleted}/erase t");
    }

    [Fact]
    public async Task The_role_of_the_process_can_rewrite_the_log_in_no_other_way()
    {
        await using var database = NpgsqlDataSource.Create(app.Database.Commands);
        await using var command = database.CreateCommand("UPDATE shop.events SET data = '{}'");
        (await Should.ThrowAsync<PostgresException>(() => command.ExecuteNonQueryAsync())).SqlState
            .ShouldBe(PostgresErrorCodes.InsufficientPrivilege);
    }

    [GeneratedRegex("""
        "shippingAddress":"([^"\\]|\\.)*"
        """)]
    private static partial Regex Address();

    [GeneratedRegex("""
        "trackingNumber":"[^"]*"
        """)]
    private static partial Regex Tracking();

    [GeneratedRegex("""
        "lastLoginDate":"[^"]*"
        """)]
    private static partial Regex Login();

    [GeneratedRegex("""
        "email":"[^"]*"
        """)]
    private static partial Regex Mail();
}
