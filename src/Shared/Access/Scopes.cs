namespace ApexShop.Access;

/// <summary>The scopes that an API key can have.</summary>
public static class Scopes
{
    public const string CatalogWrite = "catalog:write";
    public const string OrdersRead = "orders:read";
    public const string OrdersWrite = "orders:write";
    public const string UsersRead = "users:read";
    public const string UsersWrite = "users:write";
    public const string EventsRead = "events:read";
    public const string MetricsRead = "metrics:read";
    public const string Admin = "admin";

    public static IReadOnlyList<string> All { get; } =
        [CatalogWrite, OrdersRead, OrdersWrite, UsersRead, UsersWrite, EventsRead, MetricsRead, Admin];
}
