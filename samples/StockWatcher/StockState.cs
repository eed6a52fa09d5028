using System.Text.Json;

namespace ApexShop.StockWatcher;

/// <summary>What the file has.</summary>
internal sealed class StockState
{
    /// <summary>The identity of the log that the position is of.</summary>
    public string? Log { get; set; }

    public long Position { get; set; }

    /// <summary>Whether the first read of a log that is read compacted is not finished.</summary>
    public bool IsFirstRead { get; set; }

    public Dictionary<int, Product> Products { get; init; } = [];

    /// <summary>The number of changes of each product, which shows that each event was applied once.</summary>
    public Dictionary<int, long> Changes { get; init; } = [];

    public List<Parked> ParkedEvents { get; init; } = [];

    internal sealed record Product(string Name, int Stock);

    internal sealed record Parked(JsonElement Event, string Reason);
}
