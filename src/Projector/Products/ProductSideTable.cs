using ApexShop.Projector.Documents;
using ApexShop.ReadModels;
using static ApexShop.Projector.Documents.StatementBatch;
using static ApexShop.ReadModels.SearchedText;

namespace ApexShop.Projector.Products;

/// <summary>
/// A side table with one value of each living product. In the product's own row, the index on that value would have to
/// be written with every other change as well. Only values that changed are written.
/// </summary>
internal abstract class ProductSideTable(string table)
{
    // The name is the first line.
    private const string Name = "split_part(u.value, E'\\n', 1)";

    // Words of the name weigh more in the order of relevance. They are also stored as they are written, because the
    // beginning of a word, "lighti" of "lighting", is not the beginning of its stem.
    private static readonly string words =
        $"setweight(to_tsvector('english', {Separated(Name)}), 'A') "
        + $"|| to_tsvector('english', {Separated($"substr(u.value, length({Name}) + 1)")}) "
        + $"|| strip(to_tsvector('simple', {Separated(Name)}))";

    private readonly string delete = $"DELETE FROM {table} AS t WHERE product_id = ANY($1)";

    protected string Table => table;

    protected virtual string Delete => delete;

    public static IReadOnlyList<ProductSideTable> All { get; } =
    [
        new ProductSideTable<decimal>(
            ReadTables.ProductRatings, "average", "numeric", "u.value", "rating", view => view.Rating.Average),
        new ProductSideTable<DateTimeOffset>(
            ReadTables.ProductChanges,
            "modified_date",
            "timestamptz",
            "u.value",
            "coalesce(updated_date, created_date)",
            view => view.UpdatedDate ?? view.CreatedDate),
        new ProductSideTable<string>(
            ReadTables.ProductWords,
            "words",
            "text",
            words,
            "concat(name, E'\\n', data ->> 'description')",
            view => $"{view.Name}\n{view.Description}"),
        new NameWordTable(),
    ];

    public void Write(StatementBatch statements, IReadOnlyList<DocumentChange<ProductView>> written)
    {
        int[] deleted = [.. written.Where(change => change.After is null).Select(change => change.Id)];
        if (deleted.Length > 0) statements.Add(Delete, Parameter(deleted));
        Upsert(statements, written);
    }

    /// <summary>Writes the values of all products, into the empty table.</summary>
    public abstract void Fill(StatementBatch statements);

    /// <summary>Adds the products of one segment whose value is wrong, missing or left over.</summary>
    public abstract void Compare(
        StatementBatch statements,
        int[] ids,
        IReadOnlyCollection<ProductView> living,
        int[] unreadable,
        List<(string Table, int? Id)> wrong);

    protected abstract void Upsert(StatementBatch statements, IReadOnlyList<DocumentChange<ProductView>> written);
}

/// <summary>A side table with one column besides the id.</summary>
/// <param name="table">Its name.</param>
/// <param name="column">The column.</param>
/// <param name="type">The type of what it is made from.</param>
/// <param name="value">What is stored, made from <c>u.value</c>.</param>
/// <param name="source">What <c>u.value</c> is in the row of a product.</param>
/// <param name="select">The same in a view.</param>
internal class ProductSideTable<T>(
    string table, string column, string type, string value, string source, Func<ProductView, T> select)
    : ProductSideTable(table)
{
    private readonly string put = $"""
        INSERT INTO {table} AS t (product_id, {column})
        SELECT u.id, {value} FROM unnest($1::integer[], $2::{type}[]) AS u (id, value)
        ON CONFLICT (product_id) DO UPDATE SET {column} = excluded.{column} WHERE t.{column} <> excluded.{column}
        """;

    private readonly string compare = $"""
        SELECT coalesce(t.product_id, u.id)
        FROM (SELECT product_id, {column} FROM {table}
            WHERE product_id BETWEEN $3 AND $4 AND product_id <> ALL($5)) AS t
        FULL JOIN unnest($1::integer[], $2::{type}[]) AS u (id, value) ON u.id = t.product_id
        WHERE t.{column} IS DISTINCT FROM {value} OR u.id IS NULL
        """;

    private readonly string fill = $"""
        INSERT INTO {table} (product_id, {column})
        SELECT u.id, {value} FROM (SELECT id, {source} AS value FROM read.products WHERE NOT is_deleted) AS u
        """;

    protected virtual string Put => put;

    public override void Fill(StatementBatch statements) => statements.Add(fill);

    public override void Compare(
        StatementBatch statements,
        int[] ids,
        IReadOnlyCollection<ProductView> living,
        int[] unreadable,
        List<(string Table, int? Id)> wrong) =>
        statements.Add(
            compare,
            row => wrong.Add((Table, row.GetInt32(0))),
            Parameter(living.Select(view => view.Id).ToArray()),
            Parameter(living.Select(select).ToArray()),
            Parameter(ids[0]),
            Parameter(ids[^1]),
            Parameter(unreadable));

    protected override void Upsert(StatementBatch statements, IReadOnlyList<DocumentChange<ProductView>> written)
    {
        var (ids, values) = (new List<int>(written.Count), new List<T>(written.Count));
        foreach (var (id, before, after) in written)
        {
            if (after is null) continue;
            var now = select(after);
            if (before is not null && EqualityComparer<T>.Default.Equals(select(before), now)) continue;
            ids.Add(id);
            values.Add(now);
        }

        if (ids.Count > 0)
            statements.Add(Put, Parameter(ids.ToArray()), Parameter(values.ToArray()));
    }
}
