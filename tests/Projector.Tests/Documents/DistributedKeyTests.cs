using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests.Documents;

/// <summary>
/// docs/scale.md names for each table of the read schema the column by which a distributed PostgreSQL can divide it.
/// Such a server needs that column in every unique index, never null, no foreign key to another table, and no trigger
/// on a table that it divides.
/// </summary>
public sealed class DistributedKeyTests(ReadStore store) : IClassFixture<ReadStore>
{
    [Fact]
    public async Task The_page_has_every_table() => (await store.ScalarAsync<string[]>("""
        SELECT array_agg(relname::text ORDER BY relname) FROM pg_class
        WHERE relnamespace = 'read'::regnamespace AND relkind = 'r'
        """)).ShouldBe(Tables().Select(table => table.Name).Order(StringComparer.Ordinal));

    [Fact]
    public async Task Every_unique_index_has_the_column_of_its_table()
    {
        foreach (var (name, column) in Tables().Where(table => table.Column is not null))
        {
            (await store.ScalarAsync<long>($"""
                SELECT count(*) FROM pg_index WHERE indrelid = 'read.{name}'::regclass AND indisunique
                    AND NOT EXISTS (SELECT FROM pg_attribute AS a
                        WHERE a.attrelid = indrelid AND a.attname = '{column}'
                            AND a.attnum = ANY(indkey[:indnkeyatts - 1]))
                """)).ShouldBe(0, $"{name}: a unique index without {column}");
            (await store.ScalarAsync<bool>($"""
                SELECT attnotnull FROM pg_attribute WHERE attrelid = 'read.{name}'::regclass AND attname = '{column}'
                """)).ShouldBeTrue($"{name}.{column}");
        }
    }

    [Fact]
    public async Task No_table_has_a_foreign_key_and_only_whole_ones_have_a_trigger()
    {
        var divided = Tables().Where(table => table.Column is not null).Select(table => $"'{table.Name}'");
        (await store.ScalarAsync<long>($"""
            SELECT (SELECT count(*) FROM pg_constraint
                    WHERE connamespace = 'read'::regnamespace AND contype IN ('f', 'x'))
                + (SELECT count(*) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
                    WHERE relnamespace = 'read'::regnamespace AND relname IN ({string.Join(", ", divided)}))
            """)).ShouldBe(0);
    }

    // | `read.products` | `id` |: the second cell has no column where every server has the whole table, or only one.
    private static List<(string Name, string? Column)> Tables() =>
    [
        .. File.ReadLines(Path.Combine(Repository.Root, "docs", "scale.md"))
            .Where(line => line.StartsWith("| `read.", StringComparison.Ordinal))
            .Select(line => line.Split('|'))
            .SelectMany(cells => cells[1].Split(',').Select(name => (
                name.Trim().Trim('`')["read.".Length..],
                cells[2].Contains('`', StringComparison.Ordinal) ? cells[2].Trim().Trim('`') : null))),
    ];
}
