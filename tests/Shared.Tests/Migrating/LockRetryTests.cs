using ApexShop.Migrating;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Shared.Tests.Migrating;

public sealed class LockRetryTests
{
    /// <summary>The vacuum of a large table may take hours, and begins again after it was cancelled.</summary>
    [Fact]
    public async Task A_migration_gets_the_lock_of_an_automatic_vacuum()
    {
        await using var server = await PrivatePostgres.StartAsync();
        await using var database = NpgsqlDataSource.Create(
            $"{server.Superuser};Options=-c lock_timeout={LockRetry.Timeout}");
        await ExecuteAsync("ALTER SYSTEM SET autovacuum_naptime = '1s'");
        await ExecuteAsync("SELECT pg_reload_conf()");
        await ExecuteAsync("""
            CREATE TABLE large (id integer) WITH (autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_cost_delay = 100);
            INSERT INTO large SELECT generate_series(1, 100000);
            DELETE FROM large
            """);
        await Eventually.Holds(IsVacuumedAsync, "an automatic vacuum runs");
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(2));

        await LockRetry.RunAsync(
            () => ExecuteAsync("ALTER TABLE large ADD COLUMN added integer"), TimeProvider.System, limit.Token);

        async Task<bool> IsVacuumedAsync()
        {
            await using var command = database.CreateCommand(
                "SELECT count(*) FROM pg_stat_progress_vacuum WHERE relid = 'large'::regclass");
            return (long)(await command.ExecuteScalarAsync())! == 1;
        }

        async Task ExecuteAsync(string sql)
        {
            await using var command = database.CreateCommand(sql);
            await command.ExecuteNonQueryAsync();
        }
    }
}
