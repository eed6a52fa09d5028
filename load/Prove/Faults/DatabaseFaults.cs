using Npgsql;

namespace ApexShop.Prove.Faults;

/// <summary>What a superuser of PostgreSQL can do to the shop without changing a row.</summary>
internal static class DatabaseFaults
{
    private static readonly string[] roles = ["commands", "projector", "queries"];

    private static readonly (string Name, string Table)[] locked =
    [
        ("products", "shop.products"), ("orders", "shop.orders"), ("outbox", "shop.outbox"), ("events", "shop.events"),
        ("leader", "shop.leader"), ("documents", "read.products"), ("checkpoints", "read.checkpoints"),
    ];

    public static IEnumerable<Fault> All =>
    [
        .. roles.Select(role => Sql(
            $"terminate-{role}", $"ends all sessions of the role {role}",
            Sessions("terminate", $"usename ~ '^{role}'"))),
        Sql("terminate-all", "ends all sessions of the shop", Sessions("terminate", "true")),
        Sql("terminate-some", "ends half of the sessions of the shop", Sessions("terminate", "pid % 2 = 0")),
        .. roles.Select(role => Sql(
            $"cancel-{role}", $"cancels the statements of the role {role}",
            Sessions("cancel", $"usename ~ '^{role}'"))),
        .. locked.Select(one => Sql(
            $"lock-{one.Name}", $"locks {one.Table} exclusively for a second",
            $"LOCK TABLE {one.Table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(1)")),
        Sql("share-products", "lets no writer change products for a second",
            "LOCK TABLE shop.products IN SHARE MODE; SELECT pg_sleep(1)"),
        Sql("checkpoint", "a checkpoint", "CHECKPOINT"),
        Sql("switch-wal", "a new segment of the write-ahead log", "SELECT pg_switch_wal()"),
        Vacuum("vacuum-events", "VACUUM ANALYZE of the log", "VACUUM ANALYZE shop.events"),
        Vacuum("vacuum-documents", "VACUUM FULL of the product documents", "VACUUM FULL read.products"),
        Vacuum("reindex-outbox", "REINDEX of the outbox", "REINDEX TABLE shop.outbox"),
    ];

    private static string Sessions(string verb, string condition) =>
        $"SELECT pg_{verb}_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        + $"AND pid <> pg_backend_pid() AND usename <> 'postgres' AND {condition}";

    private static Fault Sql(string name, string text, string sql) => new(
        name, text, control => control.Database is not null, context => RunAsync(context, sql, isTransaction: true));

    private static Fault Vacuum(string name, string text, string sql) => new(
        name, text, control => control.Database is not null, context => RunAsync(context, sql, isTransaction: false));

    private static async Task RunAsync(FaultContext context, string sql, bool isTransaction)
    {
        // A lock that waits for a long transaction would delay everything behind it.
        var builder = new NpgsqlConnectionStringBuilder(context.Control.Database) { Pooling = false };
        await using var connection = new NpgsqlConnection(builder.ConnectionString);
        await connection.OpenAsync();
        await using var limit = new NpgsqlCommand("SET lock_timeout = '5s'", connection);
        await limit.ExecuteNonQueryAsync();
        await using var transaction = isTransaction ? await connection.BeginTransactionAsync() : null;
        await using var command = new NpgsqlCommand(sql, connection, transaction);
        await command.ExecuteNonQueryAsync();
        if (transaction is not null) await transaction.CommitAsync();
    }
}
