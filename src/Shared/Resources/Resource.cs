using System.Diagnostics.CodeAnalysis;
using ApexShop.Access;

namespace ApexShop.Resources;

/// <summary>
/// One resource of the shop. Every list of the resources is made from <see cref="All"/>, so a new resource starts with
/// a new row here.
/// </summary>
/// <param name="Name">Path segment, routing key, event stream and document table have this name.</param>
/// <param name="Singular">The name of one item, in messages, operation ids and event types.</param>
/// <param name="WriteScope">The scope that an API key needs to change it.</param>
/// <param name="ReadScope">The scope that an API key needs to read its documents; null when they are public.</param>
public sealed record Resource(string Name, string Singular, string WriteScope, string? ReadScope = null)
{
    public static Resource Categories { get; } = new("categories", "category", Scopes.CatalogWrite);
    public static Resource Users { get; } = new("users", "user", Scopes.UsersWrite, Scopes.UsersRead);
    public static Resource Products { get; } = new("products", "product", Scopes.CatalogWrite);
    public static Resource Orders { get; } = new("orders", "order", Scopes.OrdersWrite, Scopes.OrdersRead);
    public static Resource Reviews { get; } = new("reviews", "review", Scopes.CatalogWrite);

    /// <summary>All resources; a resource comes after those that it refers to.</summary>
    public static IReadOnlyList<Resource> All { get; } = [Categories, Users, Products, Orders, Reviews];

    /// <summary>The names of <see cref="All"/>, in the same order.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. All.Select(resource => resource.Name)];

    /// <summary>Whether a resource has this name.</summary>
    public static bool Exists([NotNullWhen(true)] string? name) => name is not null && Names.Contains(name);

    /// <summary>The resource with this name.</summary>
    /// <exception cref="ArgumentException">No resource has this name.</exception>
    public static Resource Of(string name) =>
        All.FirstOrDefault(resource => resource.Name == name)
        ?? throw new ArgumentException(
            $"'{name}' is not a resource; the resources are {string.Join(", ", Names)}.", nameof(name));

    public override string ToString() => Name;
}
