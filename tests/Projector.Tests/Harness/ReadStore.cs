using System.Text;
using ApexShop.Projector.Documents;
using ApexShop.ReadModels;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using static ApexShop.ReadModels.SearchedText;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>A read database of the test class's own, and looks into it.</summary>
public sealed class ReadStore : IAsyncLifetime
{
    private NpgsqlDataSource looking = null!;

    internal TestDatabase Database { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Database = await TestDatabase.CreateAsync(
            "read", database => ReadSchema.MigrateAsync(database.Projector, CancellationToken.None));
        looking = NpgsqlDataSource.Create(Database.Superuser);
    }

    public async Task DisposeAsync()
    {
        await looking.DisposeAsync();
        await Database.DisposeAsync();
    }

    public async Task ClearAsync() => await ExecuteAsync($$"""
        TRUNCATE {{string.Join(", ", Resource.Names.Select(ReadTables.Of))}}, read.segments,
            read.category_segments, read.order_totals, read.review_totals, read.changes,
            read.product_ratings, read.product_changes, read.product_words, read.product_name_words,
            read.name_word_counts, read.pending_names, read.parked_events, read.dead_letters;
        UPDATE read.checkpoints SET position = 0;
        UPDATE read.projection_state
        SET pending_tags = '{}', pending_since = NULL, log_id = NULL, origin = NULL;
        """);

    public async Task ExecuteAsync(string sql)
    {
        await using var command = looking.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }

    /// <summary>Holds the lock of the projection until the connection is disposed.</summary>
    public Task<NpgsqlConnection> HoldAsync() =>
        Database.HoldAsync("SELECT FROM read.projection_state FOR UPDATE");

    /// <summary>Ends when so many transactions of Projectors wait for a lock.</summary>
    public Task HeldUpAsync(int transactions = 1) => Database.HeldUpAsync("projector", transactions);

    public async Task<T> ScalarAsync<T>(string sql)
    {
        await using var command = looking.CreateCommand(sql);
        return (T)(await command.ExecuteScalarAsync())!;
    }

    /// <summary>Rows of two texts, by the first.</summary>
    public async Task<SortedDictionary<string, string>> PairsAsync(string sql)
    {
        await using var command = looking.CreateCommand(sql);
        await using var reader = await command.ExecuteReaderAsync();
        var pairs = new SortedDictionary<string, string>(StringComparer.Ordinal);
        while (await reader.ReadAsync()) pairs[reader.GetString(0)] = reader.GetString(1);
        return pairs;
    }

    /// <summary>The body of a living document, or null.</summary>
    public async Task<string?> BodyAsync(string kind, int id)
    {
        await using var command = looking.CreateCommand(
            $"SELECT body FROM read.{kind} WHERE id = {id} AND NOT is_deleted");
        return await command.ExecuteScalarAsync() is byte[] body ? Encoding.UTF8.GetString(body) : null;
    }

    /// <summary>Every row of the document tables as text, but for the revision, which says when and not what.</summary>
    public async Task<SortedDictionary<string, string>> DocumentsAsync()
    {
        var documents = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var kind in Resource.Names)
        {
            await using var command = looking.CreateCommand($"""
                SELECT id, to_jsonb(t) - 'revision' - 'body' - 'data', coalesce(convert_from(body, 'UTF8'), 'deleted')
                FROM read.{kind} t
                """);
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync())
                documents[$"{kind}/{reader.GetInt32(0)}"] = $"{reader.GetString(1)} {reader.GetString(2)}";
        }

        return documents;
    }

    /// <summary>By resource and id: the body, or the version of the tombstone.</summary>
    public async Task<SortedDictionary<string, string>> OutcomeAsync()
    {
        var outcome = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var kind in Resource.Names)
        {
            await using var command = looking.CreateCommand(
                $"SELECT id, coalesce(convert_from(body, 'UTF8'), 'deleted at ' || version) FROM read.{kind}");
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync()) outcome[$"{kind}/{reader.GetInt32(0)}"] = reader.GetString(1);
        }

        return outcome;
    }

    /// <summary>The body of each living document by resource and id.</summary>
    public async Task<SortedDictionary<string, string>> LivingAsync() => new(
        (await OutcomeAsync()).Where(one => one.Value[0] == '{').ToDictionary(), StringComparer.Ordinal);

    /// <summary>The body of each living document as queries read it, by resource and id.</summary>
    public Task<SortedDictionary<string, string>> ShownAsync() => PairsAsync(string.Join(
        " UNION ALL ",
        Resource.Names.Select(kind => $"""
            SELECT '{kind}/' || id, convert_from({PendingNames.Body(kind)}, 'UTF8')
            FROM read.{kind} WHERE NOT is_deleted
            """)));

    /// <summary>Rows whose data is not their body, or that say deleted and have one.</summary>
    public async Task<long> TornRowsAsync()
    {
        var rows = string.Join(
            " UNION ALL ", Resource.Names.Select(kind => $"SELECT is_deleted, data, body FROM read.{kind}"));
        return await ScalarAsync<long>($"""
            SELECT count(*) FROM ({rows}) rows
            WHERE data IS DISTINCT FROM convert_from(body, 'UTF8')::jsonb OR is_deleted <> (body IS NULL)
            """);
    }

    /// <summary>
    /// Living products without the values beside them, values that are not theirs, and values of no living product.
    /// </summary>
    public async Task<long> WrongAsidesAsync() =>
        await WrongWordCountsAsync() + await WrongTotalsAsync() + await ScalarAsync<long>($$"""
        SELECT count(*) FROM (SELECT * FROM read.products WHERE NOT is_deleted) p
        FULL JOIN read.product_ratings r ON r.product_id = p.id
        FULL JOIN read.product_changes c ON c.product_id = p.id
        FULL JOIN read.product_words w ON w.product_id = p.id
        FULL JOIN read.product_name_words n ON n.product_id = p.id
        WHERE (p.id, (data -> 'rating' ->> 'average')::numeric, coalesce(data ->> 'updatedDate',
            data ->> 'createdDate')::timestamptz,
            setweight(to_tsvector('english', {{Separated("data ->> 'name'")}}), 'A')
                || to_tsvector('english', {{Separated("coalesce(data ->> 'description', '')")}})
                || strip(to_tsvector('simple', {{Separated("data ->> 'name'")}})),
            CASE WHEN p.is_active THEN coalesce((SELECT array_agg(DISTINCT word ORDER BY word)
                FROM unnest(tsvector_to_array(to_tsvector('simple', {{Separated("data ->> 'name'")}}))) AS word
                WHERE word ~ '^[^0-9]{2,40}$' AND to_tsvector('english', word) <> ''), '{}') ELSE '{}' END)
            IS DISTINCT FROM (r.product_id, r.average, c.modified_date, w.words, n.words)
        """);

    // A word that no product has any more may have a row with 0.
    private async Task<long> WrongWordCountsAsync() => await ScalarAsync<long>("""
        SELECT count(*) FROM (SELECT * FROM read.name_word_counts WHERE products <> 0) c
        FULL JOIN (
            SELECT word, count(*) AS products FROM read.product_name_words, unnest(words) AS word GROUP BY word
        ) n ON n.word = c.word
        WHERE c.products IS DISTINCT FROM n.products
        """);

    // Without a document there is no row, or one with zeros.
    private async Task<long> WrongTotalsAsync() => await ScalarAsync<long>("""
        SELECT (SELECT count(*) FROM (SELECT * FROM read.order_totals WHERE orders <> 0 OR spent <> 0) t
            FULL JOIN (SELECT customer_id, count(*) AS orders,
                    sum(CASE status WHEN 'Cancelled' THEN 0 ELSE total_amount END) AS spent
                FROM read.orders WHERE NOT is_deleted GROUP BY customer_id) o USING (customer_id)
            WHERE (t.orders, t.spent) IS DISTINCT FROM (o.orders, o.spent))
        + (SELECT count(*) FROM (SELECT * FROM read.review_totals WHERE reviews <> 0 OR ratings <> 0) t
            FULL JOIN (SELECT product_id, count(*) AS reviews, sum(rating) AS ratings
                FROM read.reviews WHERE NOT is_deleted GROUP BY product_id) r USING (product_id)
            WHERE (t.reviews, t.ratings) IS DISTINCT FROM (r.reviews, r.ratings))
        + (SELECT count(*) FROM read.category_segments c
            FULL JOIN (SELECT category_id, id / 500 AS segment, count(*) AS products
                FROM read.products WHERE NOT is_deleted GROUP BY 1, 2) p USING (category_id, segment)
            WHERE c.product_count IS DISTINCT FROM p.products)
        """);

    /// <summary>Segments whose number of documents is not what their rows say, and those that are missing.</summary>
    public async Task<long> WrongSegmentsAsync() => await ScalarAsync<long>($"""
        SELECT count(*) FROM ({string.Join(" UNION ALL ", Resource.Names.Select(CountsOf))}) rows
        LEFT JOIN read.segments s USING (kind, segment) WHERE n <> coalesce(s.document_count, 0)
        """);

    private static string CountsOf(string kind) => $"""
        SELECT '{kind}' AS kind, id / 500 AS segment, count(*) FILTER (WHERE NOT is_deleted) AS n
        FROM read.{kind} GROUP BY 2
        """;
}
