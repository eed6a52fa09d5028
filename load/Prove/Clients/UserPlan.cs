using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Commands on users.</summary>
internal static class UserPlan
{
    public static Request Create(KnownShop shop) =>
        new("users.create", HttpMethod.Post, "/users", New(shop)) { IsKeyed = shop.Chance(0.5) };

    public static Request BulkCreate(KnownShop shop) =>
        CommonPlan.BulkCreate(shop, Kinds.Users, i => New(shop, i));

    public static Request Replace(KnownShop shop) =>
        CommonPlan.Replace(shop, Kinds.Users, Body(shop)) ?? Create(shop);

    public static Request Patch(KnownShop shop) =>
        CommonPlan.Patch(shop, Kinds.Users, new { lastName = shop.Mark() }) ?? Create(shop);

    public static Request BulkReplace(KnownShop shop) => CommonPlan.BulkReplace(
        shop, Kinds.Users,
        (one, i) => new
        {
            id = one.Id, email = shop.Email(i), firstName = "Grace", lastName = shop.Mark(i), isActive = true,
        }) ?? Create(shop);

    public static Request Delete(KnownShop shop) => CommonPlan.Delete(shop, Kinds.Users) ?? Create(shop);

    public static Request BulkDelete(KnownShop shop) => CommonPlan.BulkDelete(shop, Kinds.Users) ?? Create(shop);

    // No user is that old: the command has no row to change and no event.
    public static Request Deactivate(KnownShop shop) => new(
        "users.deactivate-inactive", HttpMethod.Patch, "/users/bulk-deactivate-inactive?inactiveDays=36000")
        { IsKeyed = shop.Chance(0.5) };

    private static object New(KnownShop shop, int item = 0) => new
    {
        email = shop.Email(item), password = "correct horse battery staple", firstName = "Grace",
        lastName = shop.Mark(item), isActive = true,
    };

    private static object Body(KnownShop shop) =>
        new { email = shop.Email(), firstName = "Grace", lastName = shop.Mark(), isActive = true };
}
