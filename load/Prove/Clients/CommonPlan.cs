namespace ApexShop.Prove.Clients;

/// <summary>Commands that several resources have in the same form.</summary>
internal static class CommonPlan
{
    public static Request? Replace(KnownShop shop, string resource, object body) => shop.Any(resource) is { } one
        ? new($"{resource}.replace", HttpMethod.Put, $"/{resource}/{one.Id}", body)
            { Asked = [one.Id], IfMatch = ProductPlan.VersionOf(shop, one) }
        : null;

    public static Request? Patch(KnownShop shop, string resource, object body) => shop.Any(resource) is { } one
        ? new($"{resource}.patch", HttpMethod.Patch, $"/{resource}/{one.Id}", body)
        {
            Asked = [one.Id], IfMatch = ProductPlan.VersionOf(shop, one), IsKeyed = shop.Chance(0.5),
        }
        : null;

    public static Request? Delete(KnownShop shop, string resource) => shop.Own(resource) is { } one
        ? new($"{resource}.delete", HttpMethod.Delete, $"/{resource}/{one.Id}")
            { Asked = [one.Id], IfMatch = ProductPlan.VersionOf(shop, one) }
        : null;

    public static Request BulkCreate(KnownShop shop, string resource, Func<int, object> item)
    {
        var items = Enumerable.Range(0, shop.Random.Next(2, 5)).Select(item).ToArray();
        return new($"{resource}.bulk-create", HttpMethod.Post, $"/{resource}/bulk", items)
            { Count = items.Length, IsKeyed = shop.Chance(0.5) };
    }

    public static Request? BulkReplace(KnownShop shop, string resource, Func<KnownAggregate, int, object> item)
    {
        var some = shop.Several(resource, shop.Random.Next(2, 5));
        return some.Count == 0
            ? null
            : new($"{resource}.bulk-replace", HttpMethod.Put, $"/{resource}/bulk", some.Select(item).ToArray())
                { Count = some.Count, Asked = [.. some.Select(one => one.Id)] };
    }

    public static Request? BulkDelete(KnownShop shop, string resource)
    {
        var ids = shop.Several(resource, 2, own: true).Select(one => one.Id).ToList();
        if (ids.Count == 0) return null;
        if (shop.Deleted(resource) is { } gone) ids.Add(gone.Id);
        return new($"{resource}.bulk-delete", HttpMethod.Delete, $"/{resource}/bulk", ids)
            { Count = ids.Count, Asked = ids };
    }
}
