using ApexShop.Resources;

namespace ApexShop.Events;

/// <summary>An event type: its CloudEvents name, its resource, and the contract of its <c>data</c>.</summary>
public sealed record EventType(string Name, string Resource, Type Data);

/// <summary>The CloudEvents <c>type</c> of every event. A published type is never renamed.</summary>
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
    public const string UserErased = "apexshop.user.erased";
    public const string UserDeleted = "apexshop.user.deleted";

    /// <summary>All event types.</summary>
    public static IReadOnlyList<EventType> All { get; } =
    [
        .. Of<ProductState>(Resource.Products, ProductDeleted, ProductCreated, ProductUpdated, ProductStockChanged),
        .. Of<CategoryState>(Resource.Categories, CategoryDeleted, CategoryCreated, CategoryUpdated),
        .. Of<OrderState>(Resource.Orders, OrderDeleted, OrderPlaced, OrderUpdated, OrderStatusChanged),
        .. Of<ReviewState>(Resource.Reviews, ReviewDeleted, ReviewCreated, ReviewUpdated),
        .. Of<UserState>(Resource.Users, UserDeleted, UserCreated, UserUpdated, UserDeactivated, UserErased),
    ];

    private static IEnumerable<EventType> Of<T>(Resource resource, string deleted, params string[] changed)
        where T : IAggregateState =>
    [
        .. changed.Select(name => new EventType(name, resource.Name, typeof(T))),
        new(deleted, resource.Name, typeof(DeletedState)),
    ];
}
