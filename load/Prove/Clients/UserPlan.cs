using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Commands on users.</summary>
internal static class UserPlan
{
    /// <summary>That of every user.</summary>
    public const string Password = "correct horse battery staple";

    public static Request Create(KnownShop shop) => Create(shop, shop.Email());

    /// <summary>With the e-mail address of another user, which is refused.</summary>
    public static Request CreateAgain(KnownShop shop) =>
        Create(shop, shop.Any(Kinds.Users)?.Email ?? shop.Email());

    public static Request BulkCreate(KnownShop shop) =>
        CommonPlan.BulkCreate(shop, Kinds.Users, i => New(shop, i));

    public static Request Replace(KnownShop shop) =>
        CommonPlan.Replace(shop, Kinds.Users, Body(shop)) is { } request
            ? request with { Email = shop.Email() }
            : Create(shop);

    public static Request Patch(KnownShop shop) =>
        CommonPlan.Patch(shop, Kinds.Users, new { lastName = shop.Mark() }) ?? Create(shop);

    public static Request BulkReplace(KnownShop shop) => CommonPlan.BulkReplace(
        shop, Kinds.Users,
        (one, i) => new
        {
            id = one.Id, email = shop.Email(i), firstName = "Grace", lastName = shop.Mark(i),
            phoneNumber = shop.Phone(), isActive = true,
        }) ?? Create(shop);

    public static Request Delete(KnownShop shop) => CommonPlan.Delete(shop, Kinds.Users) ?? Create(shop);

    public static Request BulkDelete(KnownShop shop) => CommonPlan.BulkDelete(shop, Kinds.Users) ?? Create(shop);

    public static Request Deactivate(KnownShop shop) => new(
        "users.deactivate-inactive", HttpMethod.Patch, $"/users/bulk-deactivate-inactive?inactiveDays={shop.Age()}")
        { IsKeyed = shop.Chance(0.5) };

    /// <summary>
    /// Also of a user that this client has deleted, whom the log still has. Open orders are mostly closed first.
    /// </summary>
    public static Request Erase(KnownShop shop)
    {
        List<KnownAggregate> OrdersOf(KnownAggregate user) =>
            [.. shop.Of(Kinds.Orders).Where(order => order.Parent == user.Id)];
        var one = shop.Chance(0.2)
            ? shop.Deleted(Kinds.Users)
            : shop.Several(Kinds.Users, 4, own: true).MaxBy(user => user.IsErased ? -1 : OrdersOf(user).Count);
        if (one is null) return Create(shop);
        var open = OrdersOf(one).Find(order => order.IsOpen);
        if (open is not null && shop.Chance(0.9)) return OrderPlan.Close(shop, open);
        return Erase(one) with
        {
            IfMatch = one.Version == 0 ? null : ProductPlan.VersionOf(shop, one),
            IsKeyed = shop.Chance(0.3),
        };
    }

    public static Request Erase(KnownAggregate one) =>
        new("users.erase", HttpMethod.Post, $"/users/{one.Id}/erase") { Asked = [one.Id] };

    /// <summary>Another last name.</summary>
    public static Request Rename(KnownShop shop, KnownAggregate one) =>
        new("users.patch", HttpMethod.Patch, $"/users/{one.Id}", new { lastName = shop.Mark() }) { Asked = [one.Id] };

    private static Request Create(KnownShop shop, string email) =>
        new("users.create", HttpMethod.Post, "/users", New(shop, email: email))
            { IsKeyed = shop.Chance(0.5), Email = email };

    private static object New(KnownShop shop, int item = 0, string? email = null) => new
    {
        email = email ?? shop.Email(item), password = Password, firstName = "Grace",
        lastName = shop.Mark(item), phoneNumber = shop.Phone(), isActive = true,
    };

    private static object Body(KnownShop shop) => new
    {
        email = shop.Email(), firstName = "Grace", lastName = shop.Mark(), phoneNumber = shop.Phone(),
        isActive = true,
    };
}
