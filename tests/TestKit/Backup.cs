using Npgsql;

namespace ApexShop.TestKit;

/// <summary>A dump of schemas that is restored into the same database, as docs/operations.md describes.</summary>
public sealed class Backup : IDisposable
{
    private readonly TestDatabase database;
    private readonly string[] schemas;
    private readonly string file = Path.Combine(Path.GetTempPath(), $"apexshop-{Guid.NewGuid():N}.dump");

    private Backup(TestDatabase database, string[] schemas) => (this.database, this.schemas) = (database, schemas);

    public static async Task<Backup> TakeAsync(TestDatabase database, params string[] schemas)
    {
        var backup = new Backup(database, schemas);
        await backup.RunAsync("pg_dump", ["-Fc", "-f", backup.file, .. schemas.Select(name => $"--schema={name}")]);
        return backup;
    }

    /// <summary>No process may use the schemas of the write side meanwhile.</summary>
    public async Task RestoreAsync()
    {
        await using var connection = new NpgsqlConnection(database.Superuser);
        await connection.OpenAsync();
        foreach (var schema in schemas)
        {
            await using var drop = new NpgsqlCommand($"DROP SCHEMA {schema} CASCADE", connection);
            await drop.ExecuteNonQueryAsync();
        }

        await RunAsync("pg_restore", ["--exit-on-error", file]);
    }

    public void Dispose() => File.Delete(file);

    private async Task RunAsync(string program, IEnumerable<string> arguments)
    {
        var server = new NpgsqlConnectionStringBuilder(database.Superuser);
        string[] target = ["-h", server.Host!, "-p", $"{server.Port}", "-U", server.Username!, "-d", server.Database!];
        using var run = new ServerProcess(
            program,
            PrivatePostgres.Program(program),
            [.. target, .. arguments],
            new Dictionary<string, string> { ["PGPASSWORD"] = server.Password ?? "" });
        run.Start();
        if (await run.ExitAsync(TimeSpan.FromMinutes(1)) != 0) throw new InvalidOperationException(run.Tail(40));
    }
}
