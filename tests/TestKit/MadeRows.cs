using System.Globalization;
using Npgsql;

namespace ApexShop.TestKit;

/// <summary>
/// Any number of rows of a resource, made by the database itself: what lists filter and sort by, and no documents in
/// them unless asked for. Ids and dates grow together as in a real shop; everything else is spread without order.
/// </summary>
public static class MadeRows
{
    private const string Born = "timestamptz '2024-01-01 00:00Z' + i * interval '30 seconds'";

    private static readonly Dictionary<string, string> columns = new()
    {
        ["products"] = $$"""
            name: 'Product ' || {{Hash(1, 1_000_000)}}, category_id: 1 + {{Hash(2, 15)}}, price: ({{Hash(3,
                1_000_000)}} / 100.0)::numeric(18,2),
            stock: {{Hash(4, 25)}}, is_active: {{Hash(5, 20)}} <> 0, is_featured: {{Hash(6, 33)}} = 0,
            rating: ({{Hash(7, 401)}} / 100.0 + 1)::numeric(3,2), created_date: {{Born}},
            updated_date: {{Born}} + {{Hash(8, 60_000)}} * interval '5 minutes'
            """,
        ["categories"] = $"name: 'Category ' || {Hash(1, 1000)}, is_active: {Hash(2, 10)} <> 0",
        ["orders"] = $"""
            customer_id: 1 + {Hash(1, 50_000)},
                status: (ARRAY['Pending','Processing','Shipped','Delivered','Cancelled'])[1 + {Hash(2, 5)}],
            total_amount: ({Hash(3, 1_000_000)} / 100.0)::numeric(18,2), order_date: {Born}
            """,
        ["reviews"] = $"""
            product_id: 1 + {Hash(1, 50_000)}, user_id: 1 + {Hash(2, 50_000)}, rating: 1 + {Hash(3, 5)},
                created_date: {Born}
            """,
        ["users"] = $"email: 'U' || i || '@example.com', is_active: {Hash(1, 20)} <> 0, created_date: {Born}",
    };

    /// <summary>
    /// Without indexes first and without a log: that is what makes a million rows a matter of seconds.
    /// </summary>
    private static string Sql(string resource, int count, string body)
    {
        var pairs = columns[resource]
            .Split(',')
            .Aggregate(new List<string>(), Join)
            .Select(pair => pair.Split(": ", 2))
            .ToList();
        var (names, values) = (pairs.Select(pair => pair[0].Trim()), pairs.Select(pair => pair[1]));
        string[] tables = resource == "products"
            ? [resource, "product_ratings", "product_changes", "product_words"]
            : [resource];
        return string.Create(CultureInfo.InvariantCulture, $"""
            SET maintenance_work_mem = '256MB';
            {string.Concat(tables.Select(table => $"ALTER TABLE read.{table} SET UNLOGGED;"))}
            {string.Concat(tables.Select(Stash))}
            INSERT INTO read.{resource} (id, version, revision, body, {string.Join(", ", names)})
            SELECT i, 1, i, {body}, {string.Join(", ", values)} FROM generate_series(1, {count}) AS i;
            {(resource == "products" ? Asides : "")}
            INSERT INTO read.segments SELECT '{resource}', id / 500, 1, count(*) FROM read.{resource} GROUP BY 2;
            DO $$ DECLARE made text; BEGIN FOREACH made IN ARRAY string_to_array(current_setting('made.indexes'), ';;')
                LOOP
                EXECUTE made; END LOOP; END $$;
            """);
    }

    private static IEnumerable<string> Tables(string resource) =>
        resource == "products"
            ? ["products", "product_ratings", "product_changes", "product_words", "segments"]
            : [resource];

    // Drops a table's indexes and keeps how to make them again.
    private static string Stash(string table) => $$"""
        DO $$ DECLARE one record; BEGIN
            FOR one IN SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
                       WHERE indrelid = 'read.{{table}}'::regclass AND NOT indisprimary LOOP
                PERFORM set_config('made.indexes', concat_ws(';;', nullif(current_setting('made.indexes', true), ''),
                    one.text), false);
                EXECUTE 'DROP INDEX ' || one.name;
            END LOOP;
        END $$;
        """;

    // A common word is in every tenth text, a rare one in every ten-thousandth.
    private const string Asides = """
        INSERT INTO read.product_ratings SELECT id, rating FROM read.products;
        INSERT INTO read.product_changes SELECT id, updated_date FROM read.products;
        INSERT INTO read.product_words
        SELECT id, array_to_tsvector(ARRAY['common' || id % 10, 'rare' || id % 10000]) FROM read.products;
        INSERT INTO read.category_segments SELECT category_id, id / 500, count(*) FROM read.products GROUP BY 1, 2;
        """;

    private static string Hash(int salt, int below) =>
        string.Create(
            CultureInfo.InvariantCulture, $"((hashint4(i # {salt * 16_777_619 % 1_000_003}) & 2147483647) % {below})");

    // A comma inside brackets is part of the pair before it.
    private static List<string> Join(List<string> pairs, string piece)
    {
        if (pairs.Count > 0 && pairs[^1].Count("([".Contains) > pairs[^1].Count(")]".Contains))
            pairs[^1] += "," + piece;
        else pairs.Add(piece);
        return pairs;
    }

    /// <summary>
    /// Makes rows 1 to <paramref name="count"/>; <paramref name="body"/> is SQL over the number <c>i</c>.
    /// </summary>
    public static async Task MakeAsync(string connectionString, string resource, int count, string body = "''")
    {
        await using var connection = new NpgsqlConnection(connectionString);
        await connection.OpenAsync();
        foreach (var sql in (string[])[
            Sql(resource, count, body), .. Tables(resource).Select(table => $"VACUUM ANALYZE read.{table}"),
        ])
        {
            await using var command = new NpgsqlCommand(sql, connection) { CommandTimeout = 180 };
            await command.ExecuteNonQueryAsync();
        }
    }
}
