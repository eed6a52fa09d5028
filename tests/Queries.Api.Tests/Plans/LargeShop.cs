using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>A shop of generated rows. The other resources have fewer rows than the products, to save time.</summary>
public abstract class MadeShop : ReadShop
{
    public const int Categories = 1000;

    public abstract int Products { get; }

    public abstract int Others { get; }

    public int CountOf(string resource) => resource == "products" ? Products : Others;

    protected override Task SeedAsync() => Task.WhenAll(
        GeneratedRows.MakeAsync(Database.Projector, "products", Products),
        MadeOthersAsync());

    private async Task MadeOthersAsync()
    {
        await GeneratedRows.MakeAsync(Database.Projector, "categories", Categories);
        foreach (var resource in Documents.Resources.Except(["products", "categories"]))
            await GeneratedRows.MakeAsync(Database.Projector, resource, Others);
    }
}

public sealed class SeededShop : MadeShop
{
    public override int Products => 15_000;

    public override int Others => 15_000;
}

public sealed class LargeShop : MadeShop
{
    public override int Products => 1_500_000;

    public override int Others => 300_000;
}
