using System.Net.Http.Json;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Errors;

/// <summary>Codes that take a failure, a full bucket or another request at the same moment.</summary>
internal static class Moments
{
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=commands;Database=none";

    public static Dictionary<string, Func<CommandsApp, Task<Answer>>> All => new()
    {
        ["internal"] = async app =>
        {
            await ExecuteAsync(app, "ALTER TABLE shop.categories RENAME TO away");
            var answer = await app.DeleteAsync("/categories/1");
            await ExecuteAsync(app, "ALTER TABLE shop.away RENAME TO categories");
            return answer;
        },
        ["database.unavailable"] = _ => ElsewhereAsync(Unavailable),
        ["request.timeout"] = app => LockedAsync(app, () => ElsewhereAsync(app.Database.Commands, ("Limits:RequestSeconds", "0.3"))),
        ["rate.exceeded"] = _ => ElsewhereAsync(Unavailable, ("Limits:KeyRate:Requests", "1"), ("Limits:KeyRate:Seconds", "3600"), ("Limits:KeyRate:Burst", "1")),
        ["idempotency.in_progress"] = app => LockedAsync(app, async () =>
        {
            var first = KeyedAsync(app);
            await WaitsAsync(app);
            var second = await KeyedAsync(app);
            await ExecuteAsync(app, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'commands' AND wait_event_type = 'Lock'");
            await first;
            return second;
        }),
        ["version.overtaken"] = OvertakenAsync,
    };

    // Two that lock each other out: the test's side waits for a minute before it looks for a deadlock, so the API's side
    // is the one that finds it.
    private static async Task<Answer> OvertakenAsync(CommandsApp app)
    {
        var product = await app.ProductAsync();
        var order = await app.OrderAsync((product, 1));
        await using var other = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await other.BeginTransactionAsync();
        await ExecuteAsync(other, $"SET LOCAL deadlock_timeout = '60s'; UPDATE shop.products SET stock = stock WHERE id = {product}");
        var answer = app.PutAsync($"/orders/{order}", ShopBuilder.StatusBody("Cancelled"));
        await WaitsAsync(app);
        await ExecuteAsync(other, $"SELECT 1 FROM shop.orders WHERE id = {order} FOR UPDATE");
        return await answer;
    }

    private static async Task<Answer> ElsewhereAsync(string connectionString, params (string Key, string Value)[] settings)
    {
        await using var api = CommandsApp.Start(connectionString, settings);
        using var client = CommandsApp.Client(api, CommandsApp.Key);
        await Provocations.SendAsync(client, HttpMethod.Get, "/limits");
        return await Provocations.SendAsync(client, HttpMethod.Delete, "/categories/1");
    }

    private static Task<Answer> KeyedAsync(CommandsApp app) =>
        Provocations.SendAsync(app.ClientWith(CommandsApp.Key), HttpMethod.Post, "/categories", JsonContent.Create(new { name = "x" }), "at-once");

    private static async Task<Answer> LockedAsync(CommandsApp app, Func<Task<Answer>> provoke)
    {
        await using var locker = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await locker.BeginTransactionAsync();
        await ExecuteAsync(locker, "LOCK TABLE shop.categories");
        return await provoke();
    }

    private static Task WaitsAsync(CommandsApp app) => Eventually.Holds(
        async () => await app.ScalarAsync<long>(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())") > 0,
        "the request waits for a lock");

    private static async Task ExecuteAsync(CommandsApp app, string sql)
    {
        await using var connection = await app.Superuser.OpenConnectionAsync();
        await ExecuteAsync(connection, sql);
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
