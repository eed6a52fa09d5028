using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Commands on categories.</summary>
internal static class CategoryPlan
{
    public static Request Create(KnownShop shop) =>
        new("categories.create", HttpMethod.Post, "/categories", Body(shop)) { IsKeyed = shop.Chance(0.5) };

    public static Request BulkCreate(KnownShop shop) =>
        CommonPlan.BulkCreate(shop, Kinds.Categories, i => Body(shop, i));

    public static Request Replace(KnownShop shop) =>
        CommonPlan.Replace(shop, Kinds.Categories, Body(shop)) ?? Create(shop);

    public static Request Patch(KnownShop shop) =>
        CommonPlan.Patch(shop, Kinds.Categories, new { description = shop.Mark() }) ?? Create(shop);

    public static Request BulkReplace(KnownShop shop) =>
        CommonPlan.BulkReplace(
            shop, Kinds.Categories,
            (one, i) => new { id = one.Id, name = shop.Mark(i), description = "replaced", isActive = true })
        ?? Create(shop);

    public static Request Delete(KnownShop shop) => CommonPlan.Delete(shop, Kinds.Categories) ?? Create(shop);

    public static Request BulkDelete(KnownShop shop) =>
        CommonPlan.BulkDelete(shop, Kinds.Categories) ?? Create(shop);

    private static object Body(KnownShop shop, int item = 0) =>
        new { name = shop.Mark(item), description = "kept", isActive = true };
}
