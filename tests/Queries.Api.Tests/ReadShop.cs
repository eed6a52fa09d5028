using System.Net.Http.Headers;
using ApexShop.Access;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests;

/// <summary>A read schema of a test class's own, filled as the projector fills it, and the API over it.</summary>
public abstract class ReadShop : IAsyncLifetime
{
    /// <summary>A key that may read everything.</summary>
    public const string Key = "reader";

    private TestDatabase? database;
    private QueriesApp? app;

    public HttpClient Http { get; private set; } = null!;

    public TestDatabase Database => database!;

    internal QueriesApp App => app!;

    public virtual async Task InitializeAsync()
    {
        database = await TestDatabase.CreateAsync("queries_read", MigrateAsync);
        await SeedAsync();
        app = Configure(new QueriesApp(database.Queries).WithKey(0, Key, Scopes.OrdersRead, Scopes.UsersRead));
        Http = app.CreateClient();
        Http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Key);
    }

    public virtual async Task DisposeAsync()
    {
        Http?.Dispose();
        if (app is not null) await app.DisposeAsync();
        if (database is not null) await database.DisposeAsync();
    }

    /// <summary>Writes documents as the projector does; each keeps version 1 and its id as revision.</summary>
    public async Task PutAsync(string resource, IReadOnlyCollection<int> ids, Func<int, byte[]>? body = null)
    {
        const string Columns = "id, version, revision, data, body";
        await ExecuteAsync(
            $"""
            INSERT INTO read.{resource} ({Columns})
            SELECT id, 1, id, convert_from(body, 'UTF8')::jsonb, body FROM unnest($1, $2) AS given (id, body)
            ON CONFLICT (id) DO UPDATE SET (version, revision, is_deleted, data, body) =
                (excluded.version, excluded.revision, false, excluded.data, excluded.body)
            """,
            ids.ToArray(),
            ids.Select(id => body?.Invoke(id) ?? Documents.Body(resource, id)).ToArray());
        await ExecuteAsync($"UPDATE read.{resource} SET {Promoted.Assignments(resource)} WHERE id = ANY ($1)", ids.ToArray());
        await CountAsync(resource);
    }

    /// <summary>Leaves tombstones.</summary>
    public async Task DeleteAsync(string resource, IReadOnlyCollection<int> ids)
    {
        await ExecuteAsync(
            $"""
            UPDATE read.{resource} SET is_deleted = true, version = version + 1, data = NULL, body = NULL
            WHERE id = ANY ($1)
            """,
            ids.ToArray());
        await CountAsync(resource);
    }

    // A segment never has a version twice, so its row stays.
    public Task EmptyAsync(string resource) => ExecuteAsync(
        $"TRUNCATE read.{resource}; UPDATE read.segments SET version = version + 1, document_count = 0 WHERE kind = '{resource}'");

    public async Task ExecuteAsync(string sql, params object[] values)
    {
        await using var connection = new NpgsqlConnection(Database.Projector);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        foreach (var value in values) command.Parameters.Add(new NpgsqlParameter { Value = value });
        await command.ExecuteNonQueryAsync();
    }

    private protected virtual QueriesApp Configure(QueriesApp queries) => queries;

    protected abstract Task SeedAsync();

    private static async Task MigrateAsync(TestDatabase template)
    {
        var folder = Path.Combine(Repository.Root, "src", "Projector", "ReadModels", "Schema");
        await using var connection = new NpgsqlConnection(template.Projector);
        await connection.OpenAsync();
        foreach (var file in Directory.GetFiles(folder, "*.sql").Order(StringComparer.Ordinal))
        {
            await using var command = new NpgsqlCommand(await File.ReadAllTextAsync(file), connection);
            await command.ExecuteNonQueryAsync();
        }
    }

    private async Task CountAsync(string resource)
    {
        await CountSegmentsAsync(resource);
        if (resource != "products") return;
        await ExecuteAsync("""
            DELETE FROM read.category_segments;
            INSERT INTO read.category_segments (category_id, segment, product_count)
            SELECT category_id, id / 500, count(*) FROM read.products WHERE NOT is_deleted AND category_id IS NOT NULL GROUP BY 1, 2;
            TRUNCATE read.product_ratings, read.product_changes, read.product_words;
            INSERT INTO read.product_ratings SELECT id, coalesce(rating, 0) FROM read.products WHERE NOT is_deleted;
            INSERT INTO read.product_changes
            SELECT id, coalesce(updated_date, created_date, 'epoch') FROM read.products WHERE NOT is_deleted;
            INSERT INTO read.product_words
            SELECT id, to_tsvector('english', concat_ws(' ', name, data ->> 'description')) FROM read.products WHERE NOT is_deleted
            """);
    }

    private Task CountSegmentsAsync(string resource) => ExecuteAsync(
        $"""
        INSERT INTO read.segments (kind, segment, version, document_count)
        SELECT $1, id / 500, 1, count(*) FILTER (WHERE NOT is_deleted) FROM read.{resource} GROUP BY 2
        ON CONFLICT (kind, segment) DO UPDATE
        SET document_count = excluded.document_count, version = segments.version + 1
        """,
        resource);
}

/// <summary>Thirty of each resource, three of them deleted.</summary>
public class FewOfEach : ReadShop
{
    public static IReadOnlyList<int> Deleted { get; } = [5, 12, 30];

    public static IReadOnlyList<int> Living { get; } = [.. Enumerable.Range(1, 30).Except(Deleted)];

    protected override async Task SeedAsync()
    {
        foreach (var resource in Documents.Resources)
        {
            await PutAsync(resource, [.. Enumerable.Range(1, 30)]);
            await DeleteAsync(resource, Deleted);
        }
    }
}

/// <summary>As many products as the seeded shop has.</summary>
public sealed class ManyProducts : ReadShop
{
    public const int Count = 15_000;

    protected override async Task SeedAsync()
    {
        await PutAsync("products", [.. Enumerable.Range(1, Count)]);
        await ExecuteAsync("ANALYZE");
    }
}
