using ApexShop.Projector.Documents;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Products;

/// <summary>
/// The words of each active product's name. The statement that changes them also counts how many products have each.
/// </summary>
internal sealed class NameWordTable() : ProductSideTable<string>(
    ReadTables.ProductNameWords,
    "words",
    "text",
    nameWords,
    "CASE WHEN is_active THEN name ELSE '' END",
    view => view.IsActive ? view.Name : "")
{
    private static readonly string nameWords = $"""
        ARRAY(SELECT word
            FROM unnest(tsvector_to_array(to_tsvector('simple', {SearchedText.Separated("u.value")}))) AS word
            WHERE length(word) BETWEEN 2 AND 40 AND word !~ '[0-9]' AND length(to_tsvector('english', word)) > 0)
        """;

    private const string CountAll = $"""
        INSERT INTO {ReadTables.NameWordCounts} (word, products)
        SELECT word, count(*) FROM {ReadTables.ProductNameWords} CROSS JOIN unnest(words) AS word GROUP BY word
        """;

    protected override string Put => field ??= Counting(base.Put, "words");

    protected override string Delete => field ??= Counting(base.Delete, "'{}'::text[] AS words");

    public override void Fill(StatementBatch statements)
    {
        base.Fill(statements);
        statements.Add(CountAll);
    }

    // All parts of a statement read the rows as they were before it. In the order of the words: other statements lock
    // the same counts.
    private static string Counting(string change, string words) => $"""
        WITH earlier AS (SELECT product_id, words FROM {ReadTables.ProductNameWords} WHERE product_id = ANY($1)),
            written AS ({change} RETURNING t.product_id, {words})
        INSERT INTO {ReadTables.NameWordCounts} AS c (word, products)
        SELECT word, sum(number) FROM (
            SELECT unnest(words) AS word, 1 AS number FROM written
            UNION ALL SELECT unnest(words), -1 FROM earlier WHERE product_id IN (SELECT product_id FROM written)) AS one
        GROUP BY word HAVING sum(number) <> 0 ORDER BY word
        ON CONFLICT (word) DO UPDATE
            SET products = c.products + excluded.products, changed = pg_current_xact_id()
        """;
}
