using System.Globalization;
using System.Reflection;
using ApexShop.Migrating;
using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Migrates schema <c>read</c> with the numbered SQL files, each applied once.</summary>
internal static class ReadSchema
{
    private const string Folder = ".Documents.Schema.";

    public static async Task MigrateAsync(string connectionString, CancellationToken ct)
    {
        // Not pooled: closing the connection releases the lock of its session.
        var settings = new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false, CommandTimeout = 0 };
        settings.Options = $"{settings.Options} {MigrationLock.SessionOptions}".TrimStart();
        await using var connection = new NpgsqlConnection(settings.ConnectionString);
        await ConnectionRetry.RunAsync(() => connection.OpenAsync(ct), TimeProvider.System, ct);
        // A rebuild holds it in share mode.
        await MigrationLock.TakeAsync(
            connection, "read.schema_versions", TimeProvider.System, ct,
            () => HungLockCleanup.RunAsync(connection, ct));

        await ExecuteAsync(connection, """
            CREATE TABLE IF NOT EXISTS read.schema_versions (
                version    integer PRIMARY KEY,
                name       text NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now()
            )
            """, ct);
        foreach (var (version, name) in Files())
            await LockRetry.RunAsync(() => ApplyAsync(connection, version, name, ct), TimeProvider.System, ct);
    }

    private static async Task ApplyAsync(NpgsqlConnection connection, int version, string name, CancellationToken ct)
    {
        await using var transaction = await connection.BeginTransactionAsync(ct);
        await ExecuteAsync(connection, $"SET LOCAL lock_timeout = '{LockRetry.Timeout}'", ct);
        await using var record = new NpgsqlCommand(
            "INSERT INTO read.schema_versions (version, name) VALUES ($1, $2) ON CONFLICT DO NOTHING", connection)
        {
            Parameters = { new() { Value = version }, new() { Value = name } },
        };
        if (await record.ExecuteNonQueryAsync(ct) == 0) return;

        using var file = new StreamReader(Assembly.GetExecutingAssembly().GetManifestResourceStream(name)!);
        await ExecuteAsync(connection, await file.ReadToEndAsync(ct), ct);
        await transaction.CommitAsync(ct);
    }

    private static IEnumerable<(int Version, string Name)> Files() =>
        Assembly.GetExecutingAssembly().GetManifestResourceNames()
            .Where(name => name.Contains(Folder, StringComparison.Ordinal))
            .Select(name => (Number(name), name))
            .Order();

    private static int Number(string name)
    {
        var start = name.IndexOf(Folder, StringComparison.Ordinal) + Folder.Length;
        return int.Parse(name.AsSpan(start, 3), CultureInfo.InvariantCulture);
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(ct);
    }
}
