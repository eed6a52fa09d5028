using ApexShop.Access;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Resources;

/// <summary>One of the five kinds of document: how it is called and who may read it.</summary>
/// <param name="Name">Path segment, document table and kind of its segments in one word.</param>
/// <param name="Singular">One document of it, in messages and operation ids.</param>
/// <param name="Scope">What a caller's key must allow; null for everybody.</param>
internal sealed record Resource(string Name, string Singular, string? Scope = null)
{
    public static IReadOnlyList<Resource> All { get; } =
    [
        new("products", "product"),
        new("categories", "category"),
        new("orders", "order", Scopes.OrdersRead),
        new("reviews", "review"),
        new("users", "user", Scopes.UsersRead),
    ];

    public string Table { get; } = ReadTables.Of(Name);

    /// <summary>Documents behind a scope stay out of every cache; others may be kept and asked about each time.</summary>
    public string CacheControl => Scope is null ? "no-cache" : "private, no-store";
}
