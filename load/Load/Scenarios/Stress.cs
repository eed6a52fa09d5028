using ApexShop.Load.Running;
using static ApexShop.Load.Running.Simulation;

namespace ApexShop.Load.Scenarios;

/// <summary>Four kinds of more than normal load.</summary>
internal sealed class Stress(Requests shop)
{
    public const string Group = "stress";

    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);

    // Without a pause a local caller would exceed the request limit of its key.
    private static readonly TimeSpan moment = TimeSpan.FromMilliseconds(5);

    public IEnumerable<Scenario> Scenarios() =>
    [
        new Scenario(
            "stress_get_products", Group, "Pages of products, at a rising rate and then at a constant one",
            shop.PageAsync)
            .WithLoad(RampingInject(600, second, 15 * second), Inject(600, second, 10 * second))
            .WithThresholds(Expected.Of(250)),
        new Scenario(
            "spike_test", Group, "Products by id at a low rate, then suddenly at twenty times the rate, then low again",
            AnyProductAsync)
            .WithLoad(
                Inject(30, second, 8 * second), Inject(600, second, 6 * second), Pause(2 * second),
                Inject(30, second, 8 * second))
            .WithThresholds(Expected.Of(250)),
        new Scenario(
            "constant_load", Group,
            "Eight callers that read a product and a page in a loop with a short pause",
            ProductAndPageAsync)
            { Think = moment }
            .WithLoad(KeepConstant(8, 15 * second))
            .WithThresholds(Threshold.OkShare(99.9), Threshold.P99(TimeSpan.FromMilliseconds(250))),
        new Scenario(
            "mixed_operations_stress", Group,
            "More and more callers; 5 % of the requests create a product, 1 % an order",
            AnythingAsync)
            { Think = moment, Clean = shop.CleanAsync }
            .WithLoad(RampingConstant(16, 10 * second), KeepConstant(16, 10 * second))
            .WithThresholds(Threshold.OkShare(99.9), Threshold.P99(TimeSpan.FromMilliseconds(500))),
    ];

    private Task<Reply> AnyProductAsync(Iteration iteration, CancellationToken ct) =>
        shop.ProductAsync(iteration, shop.Data.Products.Pick().Id, ct);

    private async Task ProductAndPageAsync(Iteration iteration, CancellationToken ct)
    {
        await AnyProductAsync(iteration, ct);
        await shop.PageAsync(iteration, ct);
    }

    private Task<Reply> AnythingAsync(Iteration iteration, CancellationToken ct) => Random.Shared.Next(100) switch
    {
        < 50 => AnyProductAsync(iteration, ct),
        < 70 => shop.PageAsync(iteration, ct),
        < 80 => shop.SearchAsync(iteration, ct),
        < 85 => shop.CategoriesAsync(iteration, ct),
        < 90 => shop.OrdersAsync(iteration, ct),
        < 94 => shop.ReviewsAsync(iteration, shop.Data.Products.Pick().Id, ct),
        < 99 => shop.CreateProductAsync(iteration, ct),
        _ => shop.CreateAsync(
            iteration, "place_order", "orders", Inputs.Order(shop.Data.Users.Pick(), [shop.Data.Sellable.Pick().Id]),
            ct),
    };
}
