using System.Text.Json.Nodes;
using ApexShop.Client.Requests;

namespace ApexShop.Client;

/// <summary>The categories of a shop.</summary>
public sealed class CategoryClient : ListClient<Category, CategoryQuery, CategoryInput, CategoryInput>
{
    internal CategoryClient(ShopConnection shop) : base(shop, "categories")
    {
    }

    public Task<BulkReplaced> ReplaceManyAsync(
        IReadOnlyList<CategoryItem> items, CancellationToken cancellationToken = default) =>
        ReplaceAllAsync(items, cancellationToken);
}

/// <summary>The reviews of products.</summary>
public sealed class ReviewClient : ListClient<Review, ReviewQuery, ReviewInput, ReviewReplacement>
{
    internal ReviewClient(ShopConnection shop) : base(shop, "reviews")
    {
    }

    public Task<BulkReplaced> ReplaceManyAsync(
        IReadOnlyList<ReviewItem> items, CancellationToken cancellationToken = default) =>
        ReplaceAllAsync(items, cancellationToken);

    /// <summary>Deletes a product's reviews that are older than so many days.</summary>
    public Task<DeletedRows> DeleteOldAsync(
        int productId, int olderThanDays, CancellationToken cancellationToken = default) =>
        Shop.SendAsync<DeletedRows>(
            new ShopRequest(
                HttpMethod.Delete,
                $"{Name}/product/{Text(productId)}/bulk-delete-old?olderThanDays={Text(olderThanDays)}")
            {
                IsLong = true,
            },
            cancellationToken);
}

/// <summary>The users of a shop.</summary>
public sealed class UserClient : ListClient<User, UserQuery, UserInput, UserInput>
{
    // A password is hashed for each item.
    internal UserClient(ShopConnection shop) : base(shop, "users", isLong: true)
    {
    }

    public Task<BulkReplaced> ReplaceManyAsync(
        IReadOnlyList<UserItem> items, CancellationToken cancellationToken = default) =>
        ReplaceAllAsync(items, cancellationToken);

    /// <summary>
    /// Removes a person for good, and keeps the user's orders and reviews. Only with an
    /// <paramref name="idempotencyKey"/> it is one transaction, and is repeated when its response is lost.
    /// </summary>
    public async Task EraseAsync(
        int id, ExpectedVersion? ifMatch = null, string? idempotencyKey = null,
        CancellationToken cancellationToken = default)
    {
        var request = new ShopRequest(HttpMethod.Post, $"{Path(id)}/erase")
        {
            IfMatch = ifMatch?.ETag, IdempotencyKey = idempotencyKey, IsLong = true,
        };
        using var response = await Shop.SendAsync(request, cancellationToken);
    }

    /// <summary>
    /// Deactivates the users who have neither ordered nor logged in for so many days, chunk by chunk. Only with an
    /// <paramref name="idempotencyKey"/> it is one transaction, and is repeated when its response is lost.
    /// </summary>
    public Task<ChangedRows> DeactivateInactiveAsync(
        int inactiveDays, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
        Shop.SendAsync<ChangedRows>(
            new ShopRequest(HttpMethod.Patch, $"{Name}/bulk-deactivate-inactive?inactiveDays={Text(inactiveDays)}")
            {
                IdempotencyKey = idempotencyKey,
                IsLong = true,
            },
            cancellationToken);
}

/// <summary>The orders of a shop, or of the customer who has signed in.</summary>
public sealed class OrderClient : ResourceClient<Order, OrderQuery, OrderInput, OrderReplacement>
{
    internal OrderClient(ShopConnection shop) : base(shop, "orders")
    {
    }

    /// <summary>
    /// The next step of an order: Pending, Processing, Shipped, Delivered, or Cancelled before it is Shipped. A step
    /// that the order cannot take is a problem <c>order.status_refused</c>.
    /// </summary>
    public Task<Saved> SetStatusAsync(
        int id, OrderStatus status, string? trackingNumber = null, ExpectedVersion? ifMatch = null,
        string? idempotencyKey = null, CancellationToken cancellationToken = default)
    {
        var patch = new JsonObject { ["status"] = status.ToString() };
        if (trackingNumber is not null) patch["trackingNumber"] = trackingNumber;
        return PatchAsync(id, patch, ifMatch, idempotencyKey, cancellationToken);
    }

    /// <summary>Deletes the orders that were delivered more than so many days ago.</summary>
    public Task<DeletedRows> DeleteOldAsync(int olderThanDays, CancellationToken cancellationToken = default) =>
        Shop.SendAsync<DeletedRows>(
            new ShopRequest(HttpMethod.Delete, $"{Name}/bulk-delete-old?olderThanDays={Text(olderThanDays)}")
            {
                IsLong = true,
            },
            cancellationToken);
}
