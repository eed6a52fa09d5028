using System.Text.Json;

namespace ApexShop.Client.Requests;

/// <summary>The parameters of a request; values that are null are left out.</summary>
internal static class QueryParameters
{
    /// <summary>The members of <paramref name="filters"/>, then the other parameters.</summary>
    public static string Of(JsonElement? filters, params ReadOnlySpan<(string Name, string? Value)> others)
    {
        var parts = new List<string>();
        foreach (var (name, value) in others)
        {
            if (value is not null) parts.Add($"{name}={Uri.EscapeDataString(value)}");
        }

        if (filters is { } members)
        {
            foreach (var member in members.EnumerateObject())
                parts.Add($"{member.Name}={Uri.EscapeDataString(Text(member.Value))}");
        }

        return parts.Count == 0 ? "" : $"?{string.Join('&', parts)}";
    }

    private static string Text(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Array => string.Join(',', value.EnumerateArray().Select(Text)),
        _ => value.ToString() is var text && value.ValueKind is JsonValueKind.True or JsonValueKind.False
            ? text.ToLowerInvariant()
            : text,
    };
}
