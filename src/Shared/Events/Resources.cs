namespace ApexShop.Events;

/// <summary>The five resources: path segment, routing key, event stream and document kind share one word.</summary>
public static class Resources
{
    public const string Products = "products";
    public const string Categories = "categories";
    public const string Orders = "orders";
    public const string Reviews = "reviews";
    public const string Users = "users";

    /// <summary>All of them, in an order in which what is referred to comes before what refers to it.</summary>
    public static IReadOnlyList<string> All { get; } = [Categories, Users, Products, Orders, Reviews];
}
