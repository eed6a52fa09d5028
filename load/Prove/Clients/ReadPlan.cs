using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Reads of every kind, with and without tokens of this client's changes.</summary>
internal static class ReadPlan
{
    private const int MostTokens = 8;
    private const int Share = 240;

    public static Request Next(KnownShop shop)
    {
        var resource = Kinds.All[shop.Random.Next(Kinds.All.Count)];
        var target = shop.Chance(0.1) ? shop.Deleted(resource) : shop.Any(resource);
        target ??= shop.Any(Kinds.Products);
        if (target is null) return CategoryPlan.Create(shop);
        var request = Make(shop, target);
        return shop.Chance(0.5) ? request : request with { Tokens = TokensOf(shop, target, request) };
    }

    private static Request Make(KnownShop shop, KnownAggregate one) => shop.Random.Next(Share) switch
    {
        < 70 => Document(shop, one),
        < 100 => Batch(shop, one),
        < 120 => Page(one),
        < 145 => ListPlan.Filtered(shop, one) ?? Page(one),
        < 165 => ListPlan.Numbered(shop, one.Resource),
        < 190 => ListPlan.Changes(shop, one.Resource),
        < 200 => ListPlan.Search(shop),
        < 207 => BySlug(one) ?? Document(shop, one),
        < 211 => ListPlan.Facets(shop),
        < 215 => ListPlan.Suggest(shop),
        < 227 => CustomerPlan.Orders(shop) ?? Document(shop, one),
        < 236 => new($"{one.Resource}.stream", HttpMethod.Get, $"/{one.Resource}/stream") { Asked = [one.Id] },
        // A caller may begin five exports a minute at each process.
        < 239 => new($"{one.Resource}.export", HttpMethod.Get, $"/{one.Resource}/export/ndjson") { Asked = [one.Id] },
        _ => File(shop) ?? Document(shop, one),
    };

    private static Request Document(KnownShop shop, KnownAggregate one)
    {
        var fields = shop.Chance(0.1) ? $"?fields={StateReader.MembersOf(one.Resource)}" : "";
        return new($"{one.Resource}.document", HttpMethod.Get, $"/{one.Resource}/{one.Id}{fields}")
            { Asked = [one.Id] };
    }

    private static Request Batch(KnownShop shop, KnownAggregate target)
    {
        int[] ids = [target.Id, .. shop.Several(target.Resource, 4).Select(one => one.Id).Where(id => id != target.Id)];
        return new($"{target.Resource}.batch", HttpMethod.Get, $"/{target.Resource}/batch?ids={string.Join(',', ids)}")
            { Asked = ids };
    }

    /// <summary>The page that begins with the aggregate, in the order of ids.</summary>
    private static Request Page(KnownAggregate one) =>
        new($"{one.Resource}.page", HttpMethod.Get, $"/{one.Resource}/cursor?pageSize=5&afterId={one.Id - 1}")
            { Asked = [one.Id] };

    private static Request? BySlug(KnownAggregate one) => one.Slug is { } slug
        ? new("products.by-slug", HttpMethod.Get, $"/products/by-slug/{slug}") { Asked = [one.Id] }
        : null;

    /// <summary>The documents of one person.</summary>
    private static Request? File(KnownShop shop) => shop.Any(Kinds.Users) is { } user
        ? new("users.file", HttpMethod.Get, $"/users/{user.Id}/export") { Asked = [user.Id] }
        : null;

    // The token of the target, and with a batch those of the other documents that this client has changed.
    private static List<KnownAggregate> TokensOf(KnownShop shop, KnownAggregate target, Request request) =>
    [
        .. request.Asked.Skip(1).Select(id => shop.Find(target.Resource, id)).Prepend(target)
            .OfType<KnownAggregate>().Where(one => one.Token is not null).Take(MostTokens),
    ];
}
