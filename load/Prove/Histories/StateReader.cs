using System.Text.Json;

namespace ApexShop.Prove.Histories;

/// <summary>Reads the own values of an aggregate from the data of an event or from a document.</summary>
internal static class StateReader
{
    /// <summary>An event refers to other aggregates by id.</summary>
    public static AggregateState OfEvent(string resource, JsonElement data) =>
        Dated(Read(resource, data, (name, _) => Number(data, name)), data);

    /// <summary>A document has them as objects with an id.</summary>
    public static AggregateState OfDocument(string resource, JsonElement document) => Dated(
        Read(
            resource, document,
            (_, member) => document.TryGetProperty(member, out var other) ? Number(other, "id") : 0),
        document);

    /// <summary>The members of a document that have its own values, as a query selects them.</summary>
    public static string MembersOf(string resource) => "id,version," + resource switch
    {
        Kinds.Products => "name,description,price,stock,isActive,isFeatured,slug,category",
        Kinds.Categories => "name,description,isActive",
        Kinds.Orders => "status,totalAmount,shippingAddress,trackingNumber,customer,items",
        Kinds.Reviews => "rating,comment,isVerifiedPurchase,product,user",
        _ => "email,firstName,lastName,phoneNumber,isActive",
    };

    /// <summary>A state with the values that a command sent; what is null keeps its value.</summary>
    public static AggregateState With(AggregateState state, JsonElement sent)
    {
        foreach (var member in sent.EnumerateObject())
        {
            if (member.Value.ValueKind != JsonValueKind.Null) state = With(state, member.Name, member.Value);
        }

        return state;
    }

    private static AggregateState With(AggregateState state, string member, JsonElement value) => member switch
    {
        "name" or "email" => state with { Name = value.GetString()! },
        "firstName" => state with { First = value.GetString()! },
        "lastName" => state with { Last = value.GetString()! },
        "description" or "comment" or "shippingAddress" => state with { Text = value.GetString()! },
        "price" => state with { Amount = value.GetDecimal() },
        "stock" => state with { Stock = value.GetInt32() },
        "rating" => state with { Rating = value.GetInt32() },
        "isActive" => state with { IsActive = value.GetBoolean() },
        "isFeatured" => state with { IsFeatured = value.GetBoolean() },
        "status" => state with { Status = value.GetString()! },
        "categoryId" => state with { CategoryId = value.GetInt32() },
        "productId" => state with { ProductId = value.GetInt32() },
        "userId" => state with { UserId = value.GetInt32() },
        "slug" => state with { Slug = value.GetString()! },
        "phoneNumber" => state with { Phone = value.GetString()! },
        "trackingNumber" => state with { Tracking = value.GetString()! },
        "items" => state with { Lines = [.. Ordered(value, state.Lines)] },
        _ => state,
    };

    // The shop sets the price of a line.
    private static IEnumerable<Line> Ordered(JsonElement items, IReadOnlyList<Line> lines) =>
        from item in items.EnumerateArray()
        let product = Number(item, "productId")
        orderby product
        select new Line(
            product, Number(item, "quantity"), lines.FirstOrDefault(line => line.ProductId == product).UnitPrice);

    private static AggregateState Read(string resource, JsonElement json, Func<string, string, int> reference) =>
        resource switch
        {
            Kinds.Products => new()
            {
                Name = Text(json, "name"), Text = Text(json, "description"), Amount = Amount(json, "price"),
                Stock = Number(json, "stock"), IsActive = Flag(json, "isActive"),
                IsFeatured = Flag(json, "isFeatured"), Slug = Text(json, "slug"),
                CategoryId = reference("categoryId", "category"),
            },
            Kinds.Categories => new()
            {
                Name = Text(json, "name"), Text = Text(json, "description"), IsActive = Flag(json, "isActive"),
            },
            Kinds.Orders => new()
            {
                Status = Text(json, "status"), Amount = Amount(json, "totalAmount"),
                Text = Text(json, "shippingAddress"), Tracking = Text(json, "trackingNumber"),
                UserId = reference("userId", "customer"),
                Lines = [.. json.GetProperty("items").EnumerateArray().Select(LineOf).OrderBy(line => line.ProductId)],
            },
            Kinds.Reviews => new()
            {
                Rating = Number(json, "rating"), Text = Text(json, "comment"),
                ProductId = reference("productId", "product"), UserId = reference("userId", "user"),
                IsVerified = Flag(json, "isVerifiedPurchase"),
            },
            Kinds.Users => new()
            {
                Name = Text(json, "email"), First = Text(json, "firstName"), Last = Text(json, "lastName"),
                Phone = Text(json, "phoneNumber"), IsActive = Flag(json, "isActive"),
            },
            _ => throw new JsonException($"There is no resource '{resource}'."),
        };

    // Documents with some of their members, and events of a synthetic history, do not have these.
    private static AggregateState Dated(AggregateState state, JsonElement json)
    {
        DateTimeOffset? Time(string name) =>
            json.TryGetProperty(name, out var time) && time.ValueKind == JsonValueKind.String
                ? time.GetDateTimeOffset()
                : null;
        var created = Time("createdDate") ?? Time("orderDate") ?? default;
        return state with
        {
            Created = created, Modified = Time("updatedDate") ?? created,
            Delivered = Time("deliveredDate"), LoggedIn = Time("lastLoginDate"),
        };
    }

    private static Line LineOf(JsonElement item) =>
        new(Number(item, "productId"), Number(item, "quantity"), Amount(item, "unitPrice"));

    private static string Text(JsonElement json, string name) => json.GetProperty(name).GetString() ?? "";

    private static int Number(JsonElement json, string name) => json.GetProperty(name).GetInt32();

    private static decimal Amount(JsonElement json, string name) => json.GetProperty(name).GetDecimal();

    private static bool Flag(JsonElement json, string name) => json.GetProperty(name).GetBoolean();
}
