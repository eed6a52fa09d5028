using System.Text.Json.Nodes;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Synthetic;

/// <summary>Writes an event in the form of GET /events.</summary>
internal static class EventLine
{
    public static string Of(LogEvent one)
    {
        var data = one.Kind == EventKind.Deleted ? [] : DataOf(one);
        data["id"] = one.Aggregate;
        data["version"] = one.Version;
        return new JsonObject
        {
            ["id"] = one.Id, ["type"] = one.Type, ["subject"] = $"{one.Resource}/{one.Aggregate}",
            ["sequence"] = $"{one.Position:D19}", ["previous"] = $"{one.Previous:D19}", ["logid"] = one.LogId,
            ["actor"] = one.Actor, ["correlationid"] = one.Trace, ["data"] = data,
        }.ToJsonString();
    }

    private static JsonObject DataOf(LogEvent one)
    {
        var state = one.State;
        return one.Resource switch
        {
            Kinds.Products => new()
            {
                ["name"] = state.Name, ["description"] = state.Text, ["price"] = state.Amount, ["stock"] = state.Stock,
                ["isActive"] = state.IsActive, ["isFeatured"] = state.IsFeatured, ["slug"] = state.Slug,
                ["categoryId"] = state.CategoryId,
            },
            Kinds.Orders => new()
            {
                ["status"] = state.Status, ["totalAmount"] = state.Amount, ["shippingAddress"] = state.Text,
                ["trackingNumber"] = state.Tracking,
                ["userId"] = state.UserId,
                ["items"] = new JsonArray([.. state.Lines.Select(line => (JsonNode)new JsonObject
                {
                    ["productId"] = line.ProductId, ["quantity"] = line.Quantity, ["unitPrice"] = line.UnitPrice,
                })]),
            },
            Kinds.Reviews => new()
            {
                ["rating"] = state.Rating, ["comment"] = state.Text, ["isVerifiedPurchase"] = state.IsVerified,
                ["productId"] = state.ProductId,
                ["userId"] = state.UserId,
            },
            Kinds.Users => new()
            {
                ["email"] = state.Name, ["firstName"] = state.First, ["lastName"] = state.Last,
                ["phoneNumber"] = state.Phone, ["isActive"] = state.IsActive,
            },
            _ => new() { ["name"] = state.Name, ["description"] = state.Text, ["isActive"] = state.IsActive },
        };
    }
}
