using ApexShop.Projector.Documents;
using ApexShop.ReadModels;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Products;

/// <summary>The number of products in each category and segment; categories show the sum.</summary>
internal static class CategorySegments
{
    // More products of a segment than these are counted with all others of the segment.
    private const int MostCountedEach = 20;

    private static readonly string countEach = $"""
        WITH counted AS MATERIALIZED (
            SELECT c.category_id, c.segment, (
                SELECT count(*)::integer FROM read.products AS p
                WHERE p.category_id = c.category_id AND NOT p.is_deleted
                    AND p.id >= c.segment * {ReadTables.SegmentSize}
                    AND p.id < (c.segment + 1)::bigint * {ReadTables.SegmentSize}) AS product_count
            FROM unnest($1::integer[], $2::integer[]) AS c (category_id, segment)
        ), emptied AS (
            DELETE FROM read.category_segments AS c USING counted AS n
            WHERE (n.category_id, n.segment) = (c.category_id, c.segment) AND n.product_count = 0)
        INSERT INTO read.category_segments (category_id, segment, product_count)
        SELECT category_id, segment, product_count FROM counted WHERE product_count > 0
        ON CONFLICT (category_id, segment) DO UPDATE SET product_count = excluded.product_count
        """;

    // A row without a category is damaged, and must not keep the others from being counted. Only rows that differ are
    // written: a segment may have products of as many categories as it has products.
    private static readonly string count = $"""
        WITH counted AS MATERIALIZED (
            SELECT p.category_id, s.segment, count(*)::integer AS product_count
            FROM unnest($1::integer[]) AS s (segment)
            JOIN read.products p
                ON p.id >= s.segment * {ReadTables.SegmentSize}
                    AND p.id < (s.segment + 1)::bigint * {ReadTables.SegmentSize}
            WHERE NOT p.is_deleted AND p.category_id IS NOT NULL
            GROUP BY p.category_id, s.segment
        ), emptied AS (
            DELETE FROM read.category_segments AS c WHERE c.segment = ANY($1)
                AND NOT EXISTS (SELECT FROM counted AS n WHERE (n.category_id, n.segment) = (c.category_id, c.segment)))
        INSERT INTO read.category_segments (category_id, segment, product_count)
        SELECT category_id, segment, product_count FROM counted
        EXCEPT SELECT category_id, segment, product_count FROM read.category_segments WHERE segment = ANY($1)
        ON CONFLICT (category_id, segment) DO UPDATE SET product_count = excluded.product_count
        """;

    private static readonly string compare = $"""
        SELECT FROM (SELECT category_id, product_count FROM read.category_segments WHERE segment = $1) AS c
        FULL JOIN (
            SELECT category_id, count(*) AS product_count FROM read.products
            WHERE id >= $1 * {ReadTables.SegmentSize} AND id < ($1 + 1)::bigint * {ReadTables.SegmentSize}
                AND NOT is_deleted AND category_id IS NOT NULL
            GROUP BY category_id) AS p USING (category_id)
        WHERE c.product_count IS DISTINCT FROM p.product_count LIMIT 1
        """;

    // In an order in which the rows that are added up for a category are together.
    private static readonly string countAll = $"""
        INSERT INTO read.category_segments (category_id, segment, product_count)
        SELECT category_id, id / {ReadTables.SegmentSize}, count(*) FROM read.products
        WHERE NOT is_deleted AND category_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
        """;

    private const string CountOfSql = """
        INSERT INTO read.category_segments (category_id, segment, product_count)
        SELECT category_id, id / $2, count(*) FROM read.products
        WHERE category_id = ANY($1) AND NOT is_deleted GROUP BY 1, 2
        """;

    /// <summary>Counts all products, into the empty table.</summary>
    public static void CountAll(StatementBatch statements) => statements.Add(countAll);

    /// <summary>Compares the counts of a product's segment with its rows.</summary>
    public static void Compare(StatementBatch statements, int productId, List<(string Table, int? Id)> wrong) =>
        statements.Add(
        compare,
        _ => wrong.Add((ReadTables.CategorySegments, null)),
        Parameter(productId / ReadTables.SegmentSize));

    /// <summary>Counts all segments of these categories again, which reads all their products.</summary>
    public static void CountOf(StatementBatch statements, int[] categoryIds)
    {
        statements.Add("DELETE FROM read.category_segments WHERE category_id = ANY($1)", Parameter(categoryIds));
        statements.Add(CountOfSql, Parameter(categoryIds), Parameter(ReadTables.SegmentSize));
    }

    /// <summary>Counts the products of the categories, in their segments, that the changes have an effect on.</summary>
    public static void Count(StatementBatch statements, IEnumerable<DocumentChange<ProductView>> changes)
    {
        var (whole, each) = (new List<int>(), new SortedSet<(int Category, int Segment)>());
        foreach (var segment in changes.GroupBy(change => change.Id / ReadTables.SegmentSize))
        {
            if (segment.Count() > MostCountedEach || segment.Any(change => !change.IsBeforeKnown))
            {
                whole.Add(segment.Key);
                continue;
            }

            foreach (var view in segment.SelectMany(change => new[] { change.Before, change.After }))
            {
                if (view is not null) each.Add((view.Category.Id, segment.Key));
            }
        }

        Count(statements, whole);
        if (each.Count == 0) return;
        statements.Add(
            countEach,
            Parameter(each.Select(one => one.Category).ToArray()),
            Parameter(each.Select(one => one.Segment).ToArray()));
    }

    /// <summary>Counts all products of these segments again.</summary>
    public static void Count(StatementBatch statements, IEnumerable<int> segments)
    {
        int[] counted = [.. segments];
        if (counted.Length > 0) statements.Add(count, Parameter(counted));
    }
}
