using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Concurrency;

/// <summary>A row that the test has locked; every command that needs it waits.</summary>
internal sealed class HeldRow : IAsyncDisposable
{
    private readonly CommandsApp app;
    private readonly NpgsqlConnection connection;

    private HeldRow(CommandsApp app, NpgsqlConnection connection) => (this.app, this.connection) = (app, connection);

    public static async Task<HeldRow> LockAsync(
        CommandsApp app, string resource, int id, string locking = "FOR UPDATE")
    {
        var connection = await app.Database.HoldAsync($"SELECT FROM shop.{resource} WHERE id = {id} {locking}");
        return new HeldRow(app, connection);
    }

    public async Task ExecuteAsync(string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    public Task CommitAsync() => ExecuteAsync("COMMIT");

    public Task WaitedForByAsync(int commands) => Eventually.Holds(
        async () => await app.ScalarAsync<long>(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'commands' "
            + "AND wait_event_type = 'Lock'") == commands,
        $"{commands} commands wait for the row");

    public async ValueTask DisposeAsync()
    {
        // The lock is released now, and not when PostgreSQL notices the end of the connection.
        await ExecuteAsync("ROLLBACK");
        await connection.DisposeAsync();
    }
}
