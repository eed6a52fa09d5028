using Npgsql;
using static ApexShop.ReadModels.SearchedText;

namespace ApexShop.TestKit;

/// <summary>Fills a read schema as the projector does, without one.</summary>
public sealed class DocumentSeeder(TestDatabase database)
{
    /// <summary>A database with nothing but an empty read schema.</summary>
    public static Task<TestDatabase> CreateDatabaseAsync(string? server = null) =>
        TestDatabase.CreateAsync("queries_read", MigrateAsync, server);

    /// <summary>Writes documents as the projector does; each keeps version 1 and its id as revision.</summary>
    public async Task PutAsync(string resource, IReadOnlyCollection<int> ids, Func<int, byte[]> body)
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
            ids.Select(body).ToArray());
        await ExecuteAsync(
            $"UPDATE read.{resource} SET {PromotedColumns.Assignments(resource)} WHERE id = ANY ($1)", ids.ToArray());
        await ChangedAsync(resource, ids);
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
        await ChangedAsync(resource, ids);
        await CountAsync(resource);
    }

    // A segment never has a version twice, so its row stays.
    public Task EmptyAsync(string resource) => ExecuteAsync(
        $"TRUNCATE read.{resource}; UPDATE read.segments SET version = version + 1, document_count = 0 WHERE kind "
        + $"= '{resource}'");

    public async Task ExecuteAsync(string sql, params object[] values)
    {
        await using var connection = new NpgsqlConnection(database.Projector);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        foreach (var value in values) command.Parameters.Add(new NpgsqlParameter { Value = value });
        await command.ExecuteNonQueryAsync();
    }

    /// <summary>Locks a table until this connection is disposed of.</summary>
    public async Task<NpgsqlConnection> LockAsync(string table)
    {
        var locked = new NpgsqlConnection(database.Projector);
        await locked.OpenAsync();
        await using var command = new NpgsqlCommand($"BEGIN; LOCK TABLE {table}", locked);
        await command.ExecuteNonQueryAsync();
        return locked;
    }

    private static async Task MigrateAsync(TestDatabase template)
    {
        var folder = Path.Combine(Repository.Root, "src", "Projector", "Documents", "Schema");
        await using var connection = new NpgsqlConnection(template.Projector);
        await connection.OpenAsync();
        foreach (var file in Directory.GetFiles(folder, "*.sql").Order(StringComparer.Ordinal))
        {
            await using var command = new NpgsqlCommand(await File.ReadAllTextAsync(file), connection);
            await command.ExecuteNonQueryAsync();
        }
    }

    private Task ChangedAsync(string resource, IReadOnlyCollection<int> ids) => ExecuteAsync(
        $"""
        INSERT INTO read.changes (kind, id) SELECT '{resource}', id FROM unnest($1) AS given (id)
        ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision
        """,
        ids.ToArray());

    private async Task CountAsync(string resource)
    {
        await CountSegmentsAsync(resource);
        if (resource != "products") return;
        await ExecuteAsync($"""
            DELETE FROM read.category_segments;
            INSERT INTO read.category_segments (category_id, segment, product_count)
            SELECT category_id, id / 500, count(*) FROM read.products WHERE NOT is_deleted AND category_id IS NOT NULL
                GROUP BY 1, 2;
            TRUNCATE read.product_ratings, read.product_changes, read.product_words, read.product_name_words;
            INSERT INTO read.product_ratings SELECT id, coalesce(rating, 0) FROM read.products WHERE NOT is_deleted;
            INSERT INTO read.product_changes
            SELECT id, coalesce(updated_date, created_date, 'epoch') FROM read.products WHERE NOT is_deleted;
            INSERT INTO read.product_words
            SELECT id, setweight(to_tsvector('english', {Separated("coalesce(name, '')")}), 'A')
                || to_tsvector('english', {Separated("coalesce(data ->> 'description', '')")})
                || strip(to_tsvector('simple', {Separated("coalesce(name, '')")}))
            FROM read.products WHERE NOT is_deleted;
            INSERT INTO read.product_name_words
            SELECT id, ARRAY(SELECT word
                FROM unnest(tsvector_to_array(to_tsvector('simple', {Separated("coalesce(name, '')")}))) AS word
                WHERE length(word) BETWEEN 2 AND 40 AND word !~ '[0-9]' AND to_tsvector('english', word) <> '')
            FROM read.products WHERE NOT is_deleted AND is_active;
            INSERT INTO read.name_word_counts AS c
            SELECT coalesce(w.word, c.word), count(w.word) FROM read.name_word_counts c
            FULL JOIN (SELECT unnest(words) AS word FROM read.product_name_words) w ON w.word = c.word GROUP BY 1
            ON CONFLICT (word) DO UPDATE SET products = excluded.products, changed = excluded.changed
            WHERE c.products <> excluded.products
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
