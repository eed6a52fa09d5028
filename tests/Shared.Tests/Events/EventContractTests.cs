using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Shared.Tests.Events;

public sealed class EventContractTests
{
    private static readonly DateTimeOffset created = new(2026, 11, 20, 8, 30, 0, 120, 500, TimeSpan.Zero);
    private static readonly DateTimeOffset changed = new(2026, 11, 21, 9, 0, 0, TimeSpan.Zero);

    private static readonly Dictionary<string, (object State, JsonTypeInfo Contract)> contracts = new()
    {
        ["product"] = (
            new ProductState(
                17, "Žlutý \"kůň\" & Söhne <b>", "Line\nbreak, 🐎", 12.5m, 3, true, false, 4, created, changed, 2,
                "LAMP.17_a-B", "zluty-kun-2", [
                    new ProductImageState("/images/lamp.svg?v=1", "Žlutý \"kůň\", 🐎", 800, 600),
                    new ProductImageState("https://cdn.example.com/17.jpg", null, 1, 20_000),
                ]),
            EventJson.Wire.ProductState),
        ["product-bare"] = (
            new ProductState(18, "Lamp", null, 0m, 0, false, true, 4, changed, null, 1, null, null, []),
            EventJson.Wire.ProductState),
        ["category"] = (new CategoryState(4, "Světla", null, true, created, 1), EventJson.Wire.CategoryState),
        ["order"] = (
            new OrderState(
                9, 3, created, "Shipped", 137.49m, "Nám. Míru 1, Praha", "AX1", changed, null,
                [new OrderItemState(17, "Světlo", 3, 12.5m, 37.5m), new OrderItemState(18, null, 1, 99.99m, 99.99m)],
                [
                    new OrderStatusState("Pending", created, "storefront"),
                    new OrderStatusState("Shipped", changed, null),
                ],
                3),
            EventJson.Wire.OrderState),
        ["review"] = (new ReviewState(5, 17, 3, 4, "Good", created, true, 1), EventJson.Wire.ReviewState),
        ["user"] = (
            new UserState(3, "ada@example.com", "Ada", "Łukasik", null, created, null, true, 7),
            EventJson.Wire.UserState),
        ["deleted"] = (new DeletedState(17, 3), EventJson.Wire.DeletedState),
    };

    public static TheoryData<string> Contracts => [.. contracts.Keys];

    public static TheoryData<string> Files => [.. Golden.Names("events")];

    [Theory]
    [MemberData(nameof(Contracts))]
    public void A_state_is_written_as_its_file_says(string name)
    {
        var (state, contract) = contracts[name];

        Golden.ShouldMatch(JsonSerializer.SerializeToUtf8Bytes(state, contract), $"events/{name}");
    }

    [Theory]
    [MemberData(nameof(Contracts))]
    public void A_state_is_read_as_it_was_written(string name)
    {
        var (state, contract) = contracts[name];
        var read = JsonSerializer.Deserialize(Golden.Bytes($"events/{name}"), contract);

        // Records compare lists by reference, so the serialized states are compared.
        JsonSerializer.SerializeToUtf8Bytes(read, contract)
            .ShouldBe(JsonSerializer.SerializeToUtf8Bytes(state, contract));
        if (state is not (OrderState or ProductState)) read.ShouldBe(state);
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_published_file_is_readable(string name)
    {
        var state = Read(name);
        state.Id.ShouldNotBe(0);
        state.Version.ShouldNotBe(0);
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_published_file_fits_the_schema(string name) =>
        new SchemaCheck(new ApiDescription([]))
            .Errors(EventSchemas.OfData(Read(name).GetType()), JsonNode.Parse(Golden.Bytes($"events/{name}")))
            .ShouldBeEmpty();

    [Fact]
    public void A_nullable_member_is_null_in_events_that_are_older_than_it()
    {
        Read("product.before-updates-had-a-date").ShouldBeOfType<ProductState>().UpdatedDate.ShouldBeNull();
        Read("order.before-deliveries-had-a-date").ShouldBeOfType<OrderState>().DeliveredDate.ShouldBeNull();
        var order = Read("order.before-names-were-kept").ShouldBeOfType<OrderState>();
        order.Items.ShouldAllBe(item => item.ProductName == null);
        order.StatusHistory.ShouldBeNull();
        var product = Read("product.before-pages").ShouldBeOfType<ProductState>();
        (product.Sku, product.Slug, product.Images).ShouldBe((null, null, null));
    }

    [Theory]
    [MemberData(nameof(Contracts))]
    public void A_reader_ignores_members_that_a_later_writer_adds(string name)
    {
        var (_, contract) = contracts[name];
        byte[] later = [.. Golden.Bytes($"events/{name}").AsSpan()[..^1], .. ",\"later\":{\"a\":[1]}}"u8];

        var read = JsonSerializer.Deserialize(later, contract);

        Golden.ShouldMatch(JsonSerializer.SerializeToUtf8Bytes(read, contract), $"events/{name}");
    }

    [Fact]
    public void A_state_without_a_required_member_is_refused()
    {
        Should.Throw<JsonException>(
            () => JsonSerializer.Deserialize("""{"id":17}"""u8, EventJson.Reading<DeletedState>()));
        var withoutName =
            """
            {"id":4,"name":null,"description":null,"isActive":true,"createdDate":"2026-11-20T08:30:00Z","version":1}
            """;
        Should.Throw<JsonException>(
            () => JsonSerializer.Deserialize(withoutName, EventJson.Reading<CategoryState>()));
    }

    [Fact]
    public void No_event_contains_a_password()
    {
        var members = EventJson.Wire.UserState.Properties.Select(property => property.Name);

        members.ShouldNotContain(name => name.Contains("password", StringComparison.OrdinalIgnoreCase));
        members.ShouldNotContain(name => name.Contains("hash", StringComparison.OrdinalIgnoreCase));
    }

    // The way the Projector reads them.
    private static IAggregateState Read(string name) => contracts[name.Split('.')[0]].State switch
    {
        ProductState => Read<ProductState>(name),
        CategoryState => Read<CategoryState>(name),
        OrderState => Read<OrderState>(name),
        ReviewState => Read<ReviewState>(name),
        UserState => Read<UserState>(name),
        DeletedState => Read<DeletedState>(name),
        var state => throw new InvalidOperationException($"There is no reader for {state.GetType()}."),
    };

    private static T Read<T>(string name)
        where T : IAggregateState =>
        JsonSerializer.Deserialize(Golden.Bytes($"events/{name}"), EventJson.Reading<T>())!;

    [Fact]
    public void Every_contract_has_a_file() =>
        contracts.Values.Select(contract => contract.Contract.Type).Distinct().ShouldBe(
            typeof(IAggregateState).Assembly.GetTypes()
                .Where(type => type.IsClass && type.IsAssignableTo(typeof(IAggregateState))),
            ignoreOrder: true);
}
