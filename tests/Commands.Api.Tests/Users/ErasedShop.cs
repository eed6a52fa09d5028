using System.Net;
using ApexShop.Commands.Api.Tests.Events;

namespace ApexShop.Commands.Api.Tests.Users;

/// <summary>Users with orders and events, and their erasure.</summary>
internal static class ErasedShop
{
    extension(CommandsApp app)
    {
        /// <summary>A user with a login and a delivered order, whose events are in the log.</summary>
        public async Task<(int User, int Order)> BuyerAsync(int product)
        {
            var user = await app.UserAsync();
            (await app.CustomerAsync(user)).Dispose();
            var order = await app.OrderOfAsync(user, (product, 1));
            await app.MoveOrderAsync(order, "Processing");
            (await app.PutAsync($"/orders/{order}", new
            {
                status = "Shipped", shippingAddress = "2 \"Analytical\" \\ Street", trackingNumber = "TRACK 1",
            })).Status.ShouldBe(HttpStatusCode.OK);
            (await app.SendAsync(HttpMethod.Patch, $"/orders/{order}", """{"status":"Delivered"}""")).Status
                .ShouldBe(HttpStatusCode.OK);
            await LogShop.SequenceAsync(app);
            return (user, order);
        }

        /// <summary>
        /// Each event with all its columns, as text: those of the log, then those that wait for the sequencer.
        /// </summary>
        public async Task<List<string>> EventsAsync(int user, params int[] orders)
        {
            var of = $"(resource = 'users' AND aggregate_id = {user}) OR (resource = 'orders' AND aggregate_id IN "
                + $"({string.Join(", ", orders)}))";
            const string columns =
                "event_id, type, resource, aggregate_id, version, time, trace_parent, actor, data::text";
            await using var command = app.Superuser.CreateCommand(
                $"""
                (SELECT concat_ws('|', position, previous, {columns}) FROM shop.events WHERE {of} ORDER BY position)
                UNION ALL (SELECT concat_ws('|', 'waits', id, {columns}) FROM shop.outbox WHERE {of} ORDER BY id)
                """);
            await using var rows = await command.ExecuteReaderAsync();
            var events = new List<string>();
            while (await rows.ReadAsync()) events.Add(rows.GetString(0));
            return events;
        }

        public Task<Answer> EraseAsync(int user, string? ifMatch = null) =>
            app.SendAsync(HttpMethod.Post, $"/users/{user}/erase", null, ifMatch);
    }
}
