using ApexShop.ReadModels;
using ApexShop.Resources;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>
/// How many documents of one kind belong to each document of another, and the sum of a value of theirs. A change adds
/// its difference: it costs the same however many documents there are.
/// </summary>
/// <param name="table">The table, with its schema.</param>
/// <param name="kind">The kind of the documents that are counted.</param>
/// <param name="shownIn">The kind of the documents that show the totals.</param>
/// <param name="key">The column, of the table and of the counted documents, with the id of such a document.</param>
/// <param name="number">The column with the number, and how it is counted.</param>
/// <param name="sum">The column with the sum, and how it is added up.</param>
internal sealed class TotalsTable(
    string table,
    string kind,
    string shownIn,
    string key,
    (string Column, string Sql) number,
    (string Column, string Sql) sum)
{
    public static readonly TotalsTable OfOrders = new(
        ReadTables.OrderTotals,
        Resource.Orders.Name,
        Resource.Users.Name,
        "customer_id",
        ("orders", "count(*)"),
        ("spent", "coalesce(sum(total_amount) FILTER (WHERE status <> 'Cancelled' AND total_amount <> 'NaN'), 0)"));

    public static readonly TotalsTable OfReviews = new(
        ReadTables.ReviewTotals,
        Resource.Reviews.Name,
        Resource.Products.Name,
        "product_id",
        ("reviews", "count(rating)"),
        ("ratings", "coalesce(sum(rating), 0)"));

    public static IReadOnlyList<TotalsTable> All { get; } = [OfOrders, OfReviews];

    private readonly string add = $"""
        INSERT INTO {table} AS t ({key}, {number.Column}, {sum.Column})
        SELECT * FROM unnest($1::integer[], $2::integer[], $3::numeric[])
        ON CONFLICT ({key}) DO UPDATE SET {number.Column} = t.{number.Column} + excluded.{number.Column},
            {sum.Column} = t.{sum.Column} + excluded.{sum.Column}
        """;

    private readonly string delete = $"DELETE FROM {table} WHERE {key} = ANY($1)";
    private readonly string count = $"INSERT INTO {table} {CountSql(kind, key, number.Sql, sum.Sql, "= ANY($1)")}";
    private readonly string countAll = $"INSERT INTO {table} {CountSql(kind, key, number.Sql, sum.Sql, "IS NOT NULL")}";

    // Without documents there is no row, or one with zeros.
    private readonly string compare = $"""
        SELECT coalesce(t.{key}, c.{key}) FROM (SELECT * FROM {table} WHERE {key} BETWEEN $1 AND $2) AS t
        FULL JOIN ({CountSql(kind, key, number.Sql, sum.Sql, "BETWEEN $1 AND $2")}) AS c ({key}, number, sum)
            ON c.{key} = t.{key}
        WHERE (coalesce(t.{number.Column}, 0), coalesce(t.{sum.Column}, 0))
            <> (coalesce(c.number, 0), coalesce(c.sum, 0))
        """;

    public string Table => table;

    /// <summary>The kind of the documents that show the totals.</summary>
    public string ShownIn => shownIn;

    /// <summary>The column with the id of such a document.</summary>
    public string Key => key;

    /// <summary>Counts all documents, into an empty table.</summary>
    public void CountAll(StatementBatch statements) => statements.Add(countAll);

    /// <summary>Counts what belongs to these documents again, which reads all of it.</summary>
    public void Recount(StatementBatch statements, int[] ids)
    {
        if (ids.Length == 0) return;
        statements.Add(delete, Parameter(ids));
        statements.Add(count, Parameter(ids));
    }

    /// <summary>Adds the documents that show totals which the change has an effect on.</summary>
    public void FindChanged<TView>(
        DocumentChange<TView> change, Func<TView, (int Id, decimal Value)> of, DependentDocuments dependents)
        where TView : class
    {
        (int Id, decimal Value)? before = change.Before is { } earlier ? of(earlier) : null;
        (int Id, decimal Value)? after = change.After is { } later ? of(later) : null;
        if (before == after) return;
        if (before is var (idBefore, _)) dependents.Add(shownIn, idBefore);
        if (after is var (idAfter, _)) dependents.Add(shownIn, idAfter);
    }

    /// <summary>Adds the ids, of one segment, whose totals are wrong.</summary>
    public void Compare(StatementBatch statements, int[] ids, List<(string Table, int? Id)> wrong) => statements.Add(
        compare, row => wrong.Add((table, row.GetInt32(0))), Parameter(ids[0]), Parameter(ids[^1]));

    /// <summary>Adds the differences of documents that were written.</summary>
    /// <param name="statements">The statements of the transaction.</param>
    /// <param name="written">The changed documents.</param>
    /// <param name="of">The id of the document that shows the totals, and the value that is added up.</param>
    public void Add<TView>(
        StatementBatch statements, IEnumerable<DocumentChange<TView>> written, Func<TView, (int Id, decimal Value)> of)
        where TView : class
    {
        var differences = new SortedDictionary<int, (int Number, decimal Sum)>();
        foreach (var (_, before, after) in written)
        {
            if (before is not null) Count(before, -1);
            if (after is not null) Count(after, 1);
        }

        var changed = differences.Where(one => one.Value != default).ToList();
        if (changed.Count == 0) return;
        statements.Add(
            add,
            Parameter(changed.Select(one => one.Key).ToArray()),
            Parameter(changed.Select(one => one.Value.Number).ToArray()),
            Parameter(changed.Select(one => one.Value.Sum).ToArray()));

        void Count(TView view, int sign)
        {
            var (id, value) = of(view);
            var (count, total) = differences.GetValueOrDefault(id);
            differences[id] = (count + sign, total + (sign * value));
        }
    }

    private static string CountSql(string kind, string key, string number, string sum, string condition) => $"""
        SELECT {key}, {number}, {sum} FROM {ReadTables.Of(kind)}
        WHERE {key} {condition} AND NOT is_deleted GROUP BY {key}
        """;
}
