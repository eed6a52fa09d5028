using System.Globalization;
using System.Text.Json;

namespace ApexShop.Events.Client;

/// <summary>A change of one aggregate: a CloudEvent whose data is the whole state after the change.</summary>
public sealed class ShopEvent
{
    internal ShopEvent(JsonElement json)
    {
        Json = json;
        Log = Text("logid");
        Position = Number("sequence");
        Previous = Number("previous");
        Subject = Text("subject");
        var slash = Subject.IndexOf('/', StringComparison.Ordinal);
        Resource = slash > 0 ? Subject[..slash] : throw new FormatException($"'{Subject}' is no subject.");
        Id = int.Parse(Subject.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture);
        Type = Text("type");
        Data = json.GetProperty("data");
    }

    /// <summary>The identity of the log that <see cref="Position"/> is of.</summary>
    public string Log { get; }

    /// <summary>The position in the log.</summary>
    public long Position { get; }

    /// <summary>The position of the same resource's event before this one, or 0.</summary>
    public long Previous { get; }

    /// <summary>The aggregate: its resource and id, <c>products/17</c>.</summary>
    public string Subject { get; }

    /// <summary><c>products</c>, <c>orders</c>, ...</summary>
    public string Resource { get; }

    /// <summary>The id of the aggregate.</summary>
    public int Id { get; }

    /// <summary>What happened: <c>apexshop.product.stock-changed</c>.</summary>
    public string Type { get; }

    /// <summary>Whether the aggregate is gone; <see cref="Data"/> then has only its id and version.</summary>
    public bool IsDeletion => Type.EndsWith(".deleted", StringComparison.Ordinal);

    /// <summary>The state of the aggregate after the change.</summary>
    public JsonElement Data { get; }

    /// <summary>The whole event, with the members that have no property here.</summary>
    public JsonElement Json { get; }

    internal LogPosition LogPosition => new(Log, Position);

    /// <summary>Reads an event that was stored as the text of <see cref="Json"/>.</summary>
    public static ShopEvent Parse(string json) => new(JsonElement.Parse(json));

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Type} of {Subject} at position {Position}");

    /// <summary>The events of a message, or null when it cannot be read.</summary>
    internal static List<ShopEvent>? OfMessage(ReadOnlyMemory<byte> body)
    {
        try
        {
            return [.. JsonElement.Parse(body.Span).EnumerateArray().Select(json => new ShopEvent(json))];
        }
        catch (Exception unreadable) when (unreadable
            is JsonException or KeyNotFoundException or InvalidOperationException or FormatException
            or OverflowException)
        {
            return null;
        }
    }

    private string Text(string member) => Json.GetProperty(member).GetString()
        ?? throw new FormatException($"{member} is null.");

    // Text of 19 digits: the number types of some languages cannot hold a position.
    private long Number(string member) => long.Parse(Text(member), NumberStyles.None, CultureInfo.InvariantCulture);
}
