using ApexShop.TestKit.Comparison;
using Npgsql;

namespace ApexShop.TestKit;

/// <summary>Keeps the transactions of a process waiting, as another one in the middle of its own does.</summary>
public static class HeldTransactions
{
    /// <summary>Holds the locks of the statement until the connection is disposed, or commits.</summary>
    public static async Task<NpgsqlConnection> HoldAsync(this TestDatabase database, string sql)
    {
        var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(database.Superuser) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var hold = new NpgsqlCommand($"BEGIN; {sql}", connection);
        await hold.ExecuteNonQueryAsync();
        return connection;
    }

    /// <summary>Ends when so many transactions of the role wait for a lock.</summary>
    public static Task HeldUpAsync(this TestDatabase database, string role, int transactions = 1) => Eventually.Holds(
        () => new Database(database.Superuser).ScalarAsync<bool>(
            "SELECT count(*) >= $2 FROM pg_stat_activity "
            + "WHERE datname = current_database() AND usename = $1 AND wait_event_type = 'Lock'",
            role,
            transactions),
        $"transactions of {role} that wait for a lock");
}
