using ApexShop.Resources;

namespace ApexShop.Events;

/// <summary>A type by its CloudEvents name, the resource whose events have it, and the contract of their <c>data</c>.</summary>
public sealed record EventType(string Name, string Resource, Type Data);

/// <summary>The CloudEvents <c>type</c> of every event: past tense, never renamed once published.</summary>
public static class EventTypes
{
    public const string ProductCreated = "apexshop.product.created";
    public const string ProductUpdated = "apexshop.product.updated";
    public const string ProductStockChanged = "apexshop.product.stock-changed";
    public const string ProductDeleted = "apexshop.product.deleted";

    public const string CategoryCreated = "apexshop.category.created";
    public const string CategoryUpdated = "apexshop.category.updated";
    public const string CategoryDeleted = "apexshop.category.deleted";

    public const string OrderPlaced = "apexshop.order.placed";
    public const string OrderUpdated = "apexshop.order.updated";
    public const string OrderStatusChanged = "apexshop.order.status-changed";
    public const string OrderDeleted = "apexshop.order.deleted";

    public const string ReviewCreated = "apexshop.review.created";
    public const string ReviewUpdated = "apexshop.review.updated";
    public const string ReviewDeleted = "apexshop.review.deleted";

    public const string UserCreated = "apexshop.user.created";
    public const string UserUpdated = "apexshop.user.updated";
    public const string UserDeactivated = "apexshop.user.deactivated";
    public const string UserDeleted = "apexshop.user.deleted";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<EventType> All { get; } =
    [
        .. Of<ProductState>(Resource.Products.Name, ProductDeleted, ProductCreated, ProductUpdated, ProductStockChanged),
        .. Of<CategoryState>(Resource.Categories.Name, CategoryDeleted, CategoryCreated, CategoryUpdated),
        .. Of<OrderState>(Resource.Orders.Name, OrderDeleted, OrderPlaced, OrderUpdated, OrderStatusChanged),
        .. Of<ReviewState>(Resource.Reviews.Name, ReviewDeleted, ReviewCreated, ReviewUpdated),
        .. Of<UserState>(Resource.Users.Name, UserDeleted, UserCreated, UserUpdated, UserDeactivated),
    ];

    private static IEnumerable<EventType> Of<T>(string resource, string deleted, params string[] changed)
        where T : IAggregateState =>
        [.. changed.Select(name => new EventType(name, resource, typeof(T))), new(deleted, resource, typeof(DeletedState))];
}
