using Npgsql;

namespace ApexShop.TestKit;

/// <summary>
/// A database of one test class, copied from a migrated template that is made once a test run; roles and rights
/// are those of production. Dropped when disposed.
/// </summary>
public sealed class TestDatabase : IAsyncDisposable
{
    /// <summary>All roles share it: the servers of a test run are private and short-lived.</summary>
    private const string Password = "test";

    private static readonly SemaphoreSlim templates = new(1, 1);
    private static readonly Dictionary<string, string> migrated = [];

    private readonly string server;

    private TestDatabase(string server, string name) => (this.server, Name) = (server, name);

    public string Name { get; }

    /// <summary>Migrates schema <c>shop</c>.</summary>
    public string ShopOwner => For("shop_owner");

    /// <summary>What Commands.Api connects with.</summary>
    public string Commands => For("commands");

    /// <summary>What the Projector connects with.</summary>
    public string Projector => For("projector");

    /// <summary>What Queries.Api connects with.</summary>
    public string Queries => For("queries");

    /// <summary>The superuser, who can read everything.</summary>
    public string Superuser => new NpgsqlConnectionStringBuilder(server) { Database = Name }.ConnectionString;

    /// <summary>
    /// Makes a database. <paramref name="migrate"/> runs once per <paramref name="template"/> and process, on a
    /// database that has the roles and the two empty schemas. <paramref name="server"/> is the superuser's connection
    /// string of a private server.
    /// </summary>
    public static async Task<TestDatabase> CreateAsync(
        string template, Func<TestDatabase, Task> migrate, string? server = null)
    {
        server ??= Servers.Postgres;
        var source = await TemplateAsync(server, template, migrate);
        var database = new TestDatabase(server, "test_" + Guid.NewGuid().ToString("N"));
        await ExecuteAsync(server, $"CREATE DATABASE {database.Name} TEMPLATE {source}");
        // A copy has the schemas' rights but not the database's own, so every role could create temporary tables.
        await ExecuteAsync(database.Superuser, await SqlAsync("database.sql"));
        return database;
    }

    public async ValueTask DisposeAsync()
    {
        NpgsqlConnection.ClearAllPools();
        await ExecuteAsync(server, $"DROP DATABASE IF EXISTS {Name} WITH (FORCE)");
    }

    private static async Task<string> TemplateAsync(string server, string template, Func<TestDatabase, Task> migrate)
    {
        await templates.WaitAsync();
        try
        {
            var key = $"{template} {server}";
            if (migrated.TryGetValue(key, out var name)) return name;
            var database = new TestDatabase(server, $"template_{template}_{Environment.ProcessId}");
            await CreateRolesAsync(server);
            await ExecuteAsync(server, $"DROP DATABASE IF EXISTS {database.Name} WITH (FORCE)");
            await ExecuteAsync(server, $"CREATE DATABASE {database.Name}");
            await ExecuteAsync(database.Superuser, await SqlAsync("database.sql"));
            await migrate(database);
            NpgsqlConnection.ClearAllPools();
            return migrated[key] = database.Name;
        }
        finally
        {
            templates.Release();
        }
    }

    // Roles belong to the whole cluster and test processes run side by side; the lock keeps them from creating one
    // twice.
    private static async Task CreateRolesAsync(string server)
    {
        var roles = await SqlAsync("roles.sql");
        foreach (var role in (string[])["shop_owner", "commands", "projector", "queries"])
        {
            roles = roles.Replace($":'{role}_password'", $"'{Password}'", StringComparison.Ordinal);
        }

        await ExecuteAsync(server, $"BEGIN; SELECT pg_advisory_xact_lock(7301); {roles} COMMIT;");
    }

    private static Task<string> SqlAsync(string file) =>
        File.ReadAllTextAsync(Path.Combine(Repository.Root, "deploy", "compose", "postgres", file));

    private static async Task ExecuteAsync(string connectionString, string sql)
    {
        await using var connection = new NpgsqlConnection(connectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection) { CommandTimeout = 120 };
        await command.ExecuteNonQueryAsync();
    }

    private string For(string role) => new NpgsqlConnectionStringBuilder(Superuser)
    {
        Username = role,
        Password = Password,
        MaxPoolSize = 20,
    }.ConnectionString;
}
