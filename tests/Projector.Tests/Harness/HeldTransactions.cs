using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>Keeps the transactions of a Projector waiting, as another one in the middle of its own does.</summary>
internal static class HeldTransactions
{
    /// <summary>Holds the lock of the projection until the connection is disposed.</summary>
    public static async Task<NpgsqlConnection> HoldAsync(this ReadStore store)
    {
        var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(store.Database.Superuser) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var hold = new NpgsqlCommand("BEGIN; SELECT FROM read.projection_state FOR UPDATE", connection);
        await hold.ExecuteNonQueryAsync();
        return connection;
    }

    /// <summary>Ends when so many transactions wait for the lock.</summary>
    public static Task HeldUpAsync(this ReadStore store, int transactions = 1) => Eventually.Holds(
        () => store.ScalarAsync<bool>(
            $"SELECT count(*) >= {transactions} FROM pg_stat_activity WHERE datname = current_database() AND "
            + "usename = 'projector' AND wait_event_type = 'Lock'"),
        "transactions that wait for their turn");
}
