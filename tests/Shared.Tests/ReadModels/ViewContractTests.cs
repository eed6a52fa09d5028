using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.ReadModels;

namespace ApexShop.Shared.Tests.ReadModels;

public sealed class ViewContractTests
{
    private static readonly DateTimeOffset created = new(2026, 11, 20, 8, 30, 0, 120, 500, TimeSpan.Zero);

    private static readonly Dictionary<string, (object View, JsonTypeInfo Contract)> contracts = new()
    {
        ["product"] = (
            new ProductView(
                17, "Žlutý \"kůň\"", null, 12.5m, 3, true, false, created, null,
                new Reference(4, "Světla"), new Rating(4.5m, 2), 2,
                "LAMP.17", "zluty-kun", [new ProductImage("/images/lamp.svg", null, 800, 600)], "CZK"),
            ReadModelJson.Wire.ProductView),
        ["category"] = (
            new CategoryView(4, "Světla", "All lights", true, created, 120, 1), ReadModelJson.Wire.CategoryView),
        ["order"] = (
            new OrderView(
                9, new Reference(3, null), created, "Pending", 37.5m, "Nám. Míru 1, Praha", null, null, null,
                [new OrderItemView(17, "Lamp", 3, 12.5m, 37.5m)], 1, 1,
                [new OrderStatusView("Pending", created, "storefront")], "CZK"),
            ReadModelJson.Wire.OrderView),
        ["review"] = (
            new ReviewView(5, new Reference(17, "Lamp"), new Reference(3, "Ada L."), 4, "Good", created, true, 1),
            ReadModelJson.Wire.ReviewView),
        ["user"] = (
            new UserView(3, "ada@example.com", "Ada", "Łukasik", null, created, created, true, 2, 75m, 7),
            ReadModelJson.Wire.UserView),
    };

    public static TheoryData<string> Contracts => [.. contracts.Keys];

    [Theory]
    [MemberData(nameof(Contracts))]
    public void A_view_is_written_as_in_its_file_and_read_as_it_was_written(string name)
    {
        var (view, contract) = contracts[name];
        var written = JsonSerializer.SerializeToUtf8Bytes(view, contract);

        Golden.ShouldMatch(written, $"views/{name}");
        var read = JsonSerializer.Deserialize(Golden.Bytes($"views/{name}"), contract);
        JsonSerializer.SerializeToUtf8Bytes(read, contract).ShouldBe(written);
    }

    [Fact]
    public void An_order_from_before_its_status_history_was_kept_is_readable() => JsonSerializer.Deserialize(
        """
        {"id":9,"customer":{"id":3,"name":null},"orderDate":"2026-11-20T08:30:00Z","status":"Pending",
        "totalAmount":0.00,"shippingAddress":"","trackingNumber":null,"shippedDate":null,"deliveredDate":null,
        "items":[],"itemCount":0,"version":1}
        """,
        ReadModelJson.Wire.OrderView)!.StatusHistory.ShouldBeNull();

    [Fact]
    public void A_product_from_before_its_images_is_read_as_without_any() => JsonSerializer.Deserialize(
        """
        {"id":17,"name":"Lamp","description":null,"price":12.50,"stock":3,"isActive":true,"isFeatured":false,
        "createdDate":"2026-11-20T08:30:00Z","updatedDate":null,"category":{"id":4,"name":null},
        "rating":{"average":0.00,"count":0},"version":1}
        """,
        ReadModelJson.Wire.ProductView)!.Images.ShouldBeEmpty();

    [Fact]
    public void Every_view_has_a_file() =>
        Golden.Names("views").ShouldBe(contracts.Keys, ignoreOrder: true);
}
