namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>A shop of made rows.</summary>
public abstract class MadeShop : ReadShop
{
    public abstract int Count { get; }

    protected override Task SeedAsync() => Task.WhenAll(
        MadeRows.MakeAsync(Database.Projector, "products", Count),
        MadeOthersAsync());

    private async Task MadeOthersAsync()
    {
        await MadeRows.MakeAsync(Database.Projector, "categories", 1000);
        foreach (var resource in (string[])["orders", "reviews", "users"]) await MadeRows.MakeAsync(Database.Projector, resource, Count);
    }
}

public sealed class SeededShop : MadeShop
{
    public override int Count => 15_000;
}

public sealed class LargeShop : MadeShop
{
    public override int Count => 1_500_000;
}
