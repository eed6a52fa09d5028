using ApexShop.Load.Running;
using static ApexShop.Load.Running.Simulation;

namespace ApexShop.Load.Scenarios;

/// <summary>One kind of request per scenario, at a constant rate.</summary>
internal static class Crud
{
    public const string Group = "crud";

    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan during = TimeSpan.FromSeconds(15);

    public static IEnumerable<Scenario> Scenarios(Requests shop) =>
    [
        new Scenario(
            "get_products", Group, "A page of 20 products by its number, any of the first half", shop.PageAsync)
            .WithLoad(Inject(100, second, during))
            .WithThresholds(Expected.Of(100)),
        new Scenario("get_product_by_id", Group, "One product by its id, any of thousands", (iteration, ct) =>
                shop.ProductAsync(iteration, shop.Data.Products.Pick().Id, ct))
            .WithLoad(Inject(200, second, during))
            .WithThresholds(Expected.Of(100)),
        new Scenario(
            "create_product", Group, "A product is created", shop.CreateProductAsync) { Clean = shop.CleanAsync }
            .WithLoad(Inject(20, second, during))
            .WithThresholds(Expected.Of(250)),
        new Scenario("get_categories", Group, "All categories", shop.CategoriesAsync)
            .WithLoad(Inject(100, second, during))
            .WithThresholds(Expected.Of(100)),
        new Scenario("get_orders", Group, "The newest 20 orders, with a key", shop.OrdersAsync)
            .WithLoad(Inject(50, second, during))
            .WithThresholds(Expected.Of(100)),
    ];
}
