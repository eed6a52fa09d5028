namespace ApexShop.Prove.Clients;

/// <summary>
/// The next request of a client. It follows from the seed, the number of the client, and what the client knows from
/// the responses before.
/// </summary>
internal static class Plan
{
    private const double Reads = 0.45;

    private static readonly (int Weight, Func<KnownShop, Request> Make)[] commands =
    [
        (8, ProductPlan.Create), (3, ProductPlan.BulkCreate), (12, ProductPlan.Replace), (10, ProductPlan.Patch),
        (16, ProductPlan.Stock), (5, ProductPlan.BulkReplace), (2, ProductPlan.BulkStock), (3, ProductPlan.Delete),
        (2, ProductPlan.BulkDelete), (3, CategoryPlan.Create), (1, CategoryPlan.BulkCreate), (3, CategoryPlan.Replace),
        (3, CategoryPlan.Patch), (1, CategoryPlan.BulkReplace), (2, CategoryPlan.Delete), (1, CategoryPlan.BulkDelete),
        (20, OrderPlan.Create), (8, OrderPlan.Replace), (8, OrderPlan.Patch), (3, OrderPlan.Delete),
        (1, OrderPlan.DeleteOld), (10, ReviewPlan.Create), (3, ReviewPlan.BulkCreate), (5, ReviewPlan.Replace),
        (5, ReviewPlan.Patch), (2, ReviewPlan.BulkReplace), (3, ReviewPlan.Delete), (1, ReviewPlan.BulkDelete),
        (1, ReviewPlan.DeleteOld), (5, UserPlan.Create), (1, UserPlan.BulkCreate), (3, UserPlan.Replace),
        (3, UserPlan.Patch), (1, UserPlan.BulkReplace), (1, UserPlan.Delete), (1, UserPlan.BulkDelete),
        (1, UserPlan.Deactivate), (6, UserPlan.Erase), (4, CustomerPlan.Login), (4, CustomerPlan.Order),
        (2, CustomerPlan.Review), (1, ProductPlan.CreateAgain), (1, UserPlan.CreateAgain),
    ];

    private static readonly int total = commands.Sum(command => command.Weight);

    public static Request Next(KnownShop shop)
    {
        if (shop.Chance(Reads)) return ReadPlan.Next(shop);
        var left = shop.Random.Next(total);
        foreach (var (weight, make) in commands)
        {
            if (left < weight) return make(shop);
            left -= weight;
        }

        throw new InvalidOperationException("The weights do not add up.");
    }
}
