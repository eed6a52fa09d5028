using System.Net.Http.Json;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Errors;

/// <summary>Triggers of codes that need a failure, an exhausted rate limit or a concurrent request.</summary>
internal static class StatefulErrorTriggers
{
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=commands;Database=none";

    public static Dictionary<string, Func<CommandsApp, Task<Answer>>> All => new()
    {
        ["internal"] = async app =>
        {
            await ExecuteAsync(app, "ALTER TABLE shop.categories RENAME TO away");
            try
            {
                return await app.DeleteAsync("/categories/1");
            }
            finally
            {
                await ExecuteAsync(app, "ALTER TABLE shop.away RENAME TO categories");
            }
        },
        ["database.unavailable"] = _ => OtherProcessAsync(Unavailable),
        ["request.timeout"] = app =>
            LockedAsync(app, () => OtherProcessAsync(app.Database.Commands, ("Limits:RequestSeconds", "0.3"))),
        ["lock.timeout"] = app =>
            LockedAsync(app, () => OtherProcessAsync(app.Database.Commands, ("Persistence:LockSeconds", "0.3"))),
        ["rate.exceeded"] = _ =>
            OtherProcessAsync(
                Unavailable, ("Limits:KeyRate:Requests", "1"), ("Limits:KeyRate:Seconds", "3600"),
                ("Limits:KeyRate:Burst", "1")),
        ["idempotency.in_progress"] = app => LockedAsync(app, async () =>
        {
            var first = KeyedAsync(app);
            await WaitsAsync(app);
            var second = await KeyedAsync(app);
            await ExecuteAsync(
                app,
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND "
                + "usename = 'commands' AND wait_event_type = 'Lock'");
            await first;
            return second;
        }),
        ["version.overtaken"] = OvertakenAsync,
    };

    // A deadlock: the test waits for a minute before PostgreSQL checks its session for one, so the session of the API
    // detects it first.
    private static async Task<Answer> OvertakenAsync(CommandsApp app)
    {
        var product = await app.ProductAsync();
        var order = await app.OrderAsync((product, 1));
        await using var other = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await other.BeginTransactionAsync();
        await ExecuteAsync(
            other, $"SET LOCAL deadlock_timeout = '60s'; UPDATE shop.products SET stock = stock WHERE id = {product}");
        var answer = app.PutAsync($"/orders/{order}", ShopBuilder.StatusBody("Cancelled"));
        await WaitsAsync(app);
        await ExecuteAsync(other, $"SELECT 1 FROM shop.orders WHERE id = {order} FOR UPDATE");
        return await answer;
    }

    private static async Task<Answer> OtherProcessAsync(
        string connectionString, params (string Key, string Value)[] settings)
    {
        await using var api = CommandsApp.Start(connectionString, settings);
        using var client = CommandsApp.Client(api, CommandsApp.Key);
        await ErrorTriggers.SendAsync(client, HttpMethod.Get, "/limits");
        return await ErrorTriggers.SendAsync(client, HttpMethod.Delete, "/categories/1");
    }

    private static Task<Answer> KeyedAsync(CommandsApp app) =>
        ErrorTriggers.SendAsync(
            app.ClientWith(CommandsApp.Key), HttpMethod.Post, "/categories", JsonContent.Create(new { name = "x" }),
            "at-once");

    private static async Task<Answer> LockedAsync(CommandsApp app, Func<Task<Answer>> trigger)
    {
        await using var locker = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await locker.BeginTransactionAsync();
        await ExecuteAsync(locker, "LOCK TABLE shop.categories");
        return await trigger();
    }

    private static Task WaitsAsync(CommandsApp app) => Eventually.Holds(
        async () => await app.ScalarAsync<long>(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE "
            + "datname = current_database())") > 0,
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
