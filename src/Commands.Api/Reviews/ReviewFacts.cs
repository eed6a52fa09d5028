using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>What the shop knows about the reviews of a list before they are written.</summary>
internal sealed class ReviewFacts(ShopDbContext db)
{
    private sealed record Fact(int Place, bool IsRepeated, bool Exists, bool IsVerified);

    /// <summary>For each review whether it is a verified purchase; its product and user stay until the transaction ends.</summary>
    public async Task<Result<IReadOnlyList<bool>>> ReadAsync(IReadOnlyList<ReviewInput.Body> items, CancellationToken ct)
    {
        var (products, users) = (items.Select(item => item.ProductId!.Value).ToArray(), items.Select(item => item.UserId!.Value).ToArray());
        var errors = new ItemErrors();
        errors.AddUnknown(items, "productId", "product", item => item.ProductId!.Value, await db.HoldAsync(Resource.Products.Name, products, ct));
        if (errors.Any) return Conflict(errors, "review.product_unknown", "A review's product does not exist.");
        errors.AddUnknown(items, "userId", "user", item => item.UserId!.Value, await db.HoldAsync(Resource.Users.Name, users, ct));
        if (errors.Any) return Conflict(errors, "review.user_unknown", "A review's user does not exist.");

        var facts = await FactsAsync(products, users, ct);
        foreach (var fact in facts.Where(fact => fact.IsRepeated || fact.Exists))
        {
            if (fact.IsRepeated) errors.Add(fact.Place, "userId", $"The user reviews product {products[fact.Place]} earlier in the list.");
            else errors.Add(fact.Place, "userId", $"The user has reviewed product {products[fact.Place]} already.");
        }

        return errors.Any
            ? Conflict(errors, "review.exists", "A user reviews a product once.")
            : facts.ConvertAll(fact => fact.IsVerified);
    }

    private static Problem Conflict(ItemErrors errors, string code, string detail) =>
        errors.ToProblem(StatusCodes.Status409Conflict, code, detail);

    private Task<List<Fact>> FactsAsync(int[] products, int[] users, CancellationToken ct) => db.Database.SqlQuery<Fact>(
        $"""
        SELECT (r.place - 1)::int AS "Place",
            row_number() OVER (PARTITION BY r.product_id, r.user_id ORDER BY r.place) > 1 AS "IsRepeated",
            EXISTS (SELECT FROM shop.reviews AS e WHERE e.product_id = r.product_id AND e.user_id = r.user_id) AS "Exists",
            EXISTS (
                SELECT FROM shop.orders AS o JOIN shop.order_items AS i ON i.order_id = o.id
                WHERE o.user_id = r.user_id AND o.status = 'Delivered' AND i.product_id = r.product_id) AS "IsVerified"
        FROM unnest({products}, {users}) WITH ORDINALITY AS r (product_id, user_id, place)
        ORDER BY r.place
        """).ToListAsync(ct);
}
