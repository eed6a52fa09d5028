using System.Globalization;
using System.Text.Json;

namespace ApexShop.StockWatcher;

/// <summary>The members of an event that this program reads; it ignores all others, so that events may grow.</summary>
internal sealed record ShopEvent(
    string Log, long Position, long Previous, string Type, int Id, string? Name, int? Stock)
{
    public bool IsDeletion => Type.EndsWith(".deleted", StringComparison.Ordinal);

    /// <summary>A message is a JSON array of events by position.</summary>
    public static List<ShopEvent> OfMessage(ReadOnlyMemory<byte> body)
    {
        using var batch = JsonDocument.Parse(body);
        return [.. batch.RootElement.EnumerateArray().Select(Of)];
    }

    /// <summary>A line of the feed is one event; the last line may be the error that interrupted the feed.</summary>
    public static ShopEvent OfLine(string line)
    {
        using var json = JsonDocument.Parse(line);
        return json.RootElement.TryGetProperty("error", out var error)
            ? throw new IOException($"The feed was interrupted: {error}")
            : Of(json.RootElement);
    }

    private static ShopEvent Of(JsonElement json)
    {
        var data = json.GetProperty("data");
        return new ShopEvent(
            json.GetProperty("logid").GetString()!,
            Number(json.GetProperty("sequence")),
            Number(json.GetProperty("previous")),
            json.GetProperty("type").GetString()!,
            data.GetProperty("id").GetInt32(),
            data.TryGetProperty("name", out var name) ? name.GetString() : null,
            data.TryGetProperty("stock", out var stock) ? stock.GetInt32() : null);
    }

    // Text of 19 digits: the number types of some languages cannot hold a position.
    private static long Number(JsonElement text) =>
        long.Parse(text.GetString()!, NumberStyles.None, CultureInfo.InvariantCulture);
}
