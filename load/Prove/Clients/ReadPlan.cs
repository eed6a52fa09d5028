using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Reads: documents, batches, pages and streams, with and without tokens of this client's changes.</summary>
internal static class ReadPlan
{
    private const int MostTokens = 8;

    public static Request Next(KnownShop shop)
    {
        var resource = Kinds.All[shop.Random.Next(Kinds.All.Count)];
        var target = shop.Chance(0.1) ? shop.Deleted(resource) : shop.Any(resource);
        target ??= shop.Any(Kinds.Products);
        if (target is null) return CategoryPlan.Create(shop);
        var request = shop.Random.Next(20) switch
        {
            < 10 => Document(target),
            < 15 => Batch(shop, target),
            < 19 => Page(target),
            _ => new($"{target.Resource}.stream", HttpMethod.Get, $"/{target.Resource}/stream") { Asked = [target.Id] },
        };
        return shop.Chance(0.5) ? request : request with { Tokens = TokensOf(shop, target, request) };
    }

    private static Request Document(KnownAggregate one) =>
        new($"{one.Resource}.document", HttpMethod.Get, $"/{one.Resource}/{one.Id}") { Asked = [one.Id] };

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

    // The token of the target, and with a batch those of the other documents that this client has changed.
    private static List<KnownAggregate> TokensOf(KnownShop shop, KnownAggregate target, Request request) =>
    [
        .. request.Asked.Skip(1).Select(id => shop.Find(target.Resource, id)).Prepend(target)
            .OfType<KnownAggregate>().Where(one => one.Token is not null).Take(MostTokens),
    ];
}
