using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>Finds the SKUs and slugs of a list that occur in it twice or that other products have.</summary>
internal static class UniqueKeyCheck
{
    private const string Sku = "sku";

    private sealed record Taken(string Member, int Place, bool IsRepeated);

    /// <param name="db">The database.</param>
    /// <param name="items">The items of the request, or of a chunk of it.</param>
    /// <param name="ids">The products that get the values; empty when the products are new.</param>
    /// <param name="first">Index of the first item in the list of the request.</param>
    /// <param name="ct">Cancels the query.</param>
    /// <remarks>
    /// A value that a product of the same list has now, and would lose, counts as taken, because the result would
    /// depend on the order in which the rows are written.
    /// </remarks>
    public static async Task<Problem?> RunAsync(
        ShopDbContext db,
        IReadOnlyList<(string? Sku, string? Slug)> items,
        int[] ids,
        int first,
        CancellationToken ct)
    {
        if (items.All(item => item is (null, null))) return null;
        var taken = await FindAsync(db, items, ids, ct);
        if (taken.Count == 0) return null;

        var errors = new ItemErrors(first);
        foreach (var (member, place, isRepeated) in taken)
        {
            if (isRepeated) errors.Add(place, member, $"The {member} occurs earlier in the list.");
            else errors.Add(place, member, $"Another product has this {member}.");
        }

        var (code, detail) = taken[0].Member == Sku
            ? (ProductTable.SkuTaken.Code, "A SKU belongs to one product.")
            : (ProductTable.SlugTaken.Code, "A slug belongs to one product.");
        return errors.ToProblem(StatusCodes.Status409Conflict, code, detail);
    }

    private static Task<List<Taken>> FindAsync(
        ShopDbContext db, IReadOnlyList<(string? Sku, string? Slug)> items, int[] ids, CancellationToken ct) =>
        db.Database.SqlQuery<Taken>(
            $"""
            WITH given AS (
                SELECT * FROM unnest({items.Column(item => item.Sku)}, {items.Column(item => item.Slug)}, {ids})
                    WITH ORDINALITY AS n (sku, slug, id, place)
            ), checked AS (
                SELECT 'sku' AS member, place, row_number() OVER (PARTITION BY sku ORDER BY place) > 1 AS is_repeated,
                    EXISTS (SELECT FROM shop.products AS p
                        WHERE p.sku = given.sku AND p.id IS DISTINCT FROM given.id) AS is_taken
                FROM given WHERE sku IS NOT NULL
                UNION ALL
                SELECT 'slug', place, row_number() OVER (PARTITION BY slug ORDER BY place) > 1,
                    EXISTS (SELECT FROM shop.products AS p
                        WHERE p.slug = given.slug AND p.id IS DISTINCT FROM given.id)
                FROM given WHERE slug IS NOT NULL
            )
            SELECT member AS "Member", (place - 1)::int AS "Place", is_repeated AS "IsRepeated"
            FROM checked WHERE is_repeated OR is_taken ORDER BY member, place
            """).ToListAsync(ct);
}
