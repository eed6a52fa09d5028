namespace ApexShop.Access;

/// <summary>The scopes that an API key can have.</summary>
public static class Scopes
{
    public const string CatalogWrite = "catalog:write";
    public const string OrdersRead = "orders:read";
    public const string OrdersWrite = "orders:write";
    public const string UsersRead = "users:read";
    public const string UsersWrite = "users:write";
    public const string UsersErase = "users:erase";
    public const string EventsRead = "events:read";
    public const string MetricsRead = "metrics:read";
    public const string Admin = "admin";

    private const string Customers = " or customer";

    public static IReadOnlyList<string> All { get; } =
        [CatalogWrite, OrdersRead, OrdersWrite, UsersRead, UsersWrite, UsersErase, EventsRead, MetricsRead, Admin];

    /// <summary>The policy of an endpoint that needs the scope or the token of a customer.</summary>
    public static string OrCustomer(string scope) => scope + Customers;

    /// <summary>Whether the policy permits customers; <paramref name="scope"/> is the one that a key needs.</summary>
    public static bool PermitsCustomers(string policy, out string scope)
    {
        var permits = policy.EndsWith(Customers, StringComparison.Ordinal);
        scope = permits ? policy[..^Customers.Length] : policy;
        return permits;
    }
}
