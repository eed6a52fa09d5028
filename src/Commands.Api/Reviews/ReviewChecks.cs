using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Users;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// Checks a list of new reviews: products and users exist, no user is erased, and none reviews a product twice.
/// </summary>
internal sealed class ReviewChecks(ShopDbContext db)
{
    private sealed record Check(int Place, bool IsRepeated, bool Exists, bool IsVerified);

    /// <summary>
    /// Locks products and users of the reviews, and returns for each review whether it is a verified purchase.
    /// </summary>
    public async Task<Result<IReadOnlyList<bool>>> CheckAsync(
        IReadOnlyList<ReviewInput.Body> items, CancellationToken ct)
    {
        var products = items.Column(item => item.ProductId!.Value);
        var users = items.Column(item => item.UserId!.Value);
        if (await LockAsync(items, products, users, ct) is { } problem) return problem;

        var (errors, checks) = (new ItemErrors(), await ChecksAsync(products, users, ct));
        foreach (var check in checks.Where(check => check.IsRepeated || check.Exists))
        {
            var product = products[check.Place];
            if (check.IsRepeated) errors.Add(check.Place, "userId", $"An earlier item reviews product {product}.");
            else errors.Add(check.Place, "userId", $"The user has already reviewed product {product}.");
        }

        return errors.Any
            ? Conflict(errors, "review.exists", "A user reviews a product once.")
            : checks.ConvertAll(check => check.IsVerified);
    }

    private async Task<Problem?> LockAsync(
        IReadOnlyList<ReviewInput.Body> items, int[] products, int[] users, CancellationToken ct)
    {
        var errors = new ItemErrors();
        var knownProducts = await db.LockForKeyShareAsync(Resource.Products.Name, products, ct);
        errors.AddUnknown(items, "productId", "product", item => item.ProductId!.Value, knownProducts.Contains);
        if (errors.Any) return Conflict(errors, "review.product_unknown", "A review's product does not exist.");
        var knownUsers = await db.LockForKeyShareAsync(Resource.Users.Name, users, ct);
        errors.AddUnknown(items, "userId", "user", item => item.UserId!.Value, knownUsers.Contains);
        if (errors.Any) return Conflict(errors, "review.user_unknown", "A review's user does not exist.");

        // After the lock, which an erasure excludes.
        var erased = await db.Users
            .Where(user => users.Contains(user.Id) && user.PasswordHash == ErasedPerson.PasswordHash)
            .Select(user => user.Id).ToHashSetAsync(ct);
        for (var i = 0; i < users.Length; i++)
        {
            if (erased.Contains(users[i])) errors.Add(i, "userId", $"User {users[i]} is erased.");
        }

        return errors.Any ? Conflict(errors, "user.erased", "An erased user cannot write a new review.") : null;
    }

    private static Problem Conflict(ItemErrors errors, string code, string detail) =>
        errors.ToProblem(StatusCodes.Status409Conflict, code, detail);

    private Task<List<Check>> ChecksAsync(
        int[] products, int[] users, CancellationToken ct) => db.Database.SqlQuery<Check>(
        $"""
        SELECT (r.place - 1)::int AS "Place",
            row_number() OVER (PARTITION BY r.product_id, r.user_id ORDER BY r.place) > 1 AS "IsRepeated",
            EXISTS (
                SELECT FROM shop.reviews AS e WHERE e.product_id = r.product_id AND e.user_id = r.user_id) AS "Exists",
            EXISTS (
                SELECT FROM shop.orders AS o JOIN shop.order_items AS i ON i.order_id = o.id
                WHERE o.user_id = r.user_id AND o.status = 'Delivered' AND i.product_id = r.product_id) AS "IsVerified"
        FROM unnest({products}, {users}) WITH ORDINALITY AS r (product_id, user_id, place)
        ORDER BY r.place
        """).ToListAsync(ct);
}
