using System.Text.Json;
using ApexShop.Events;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Micro;

/// <summary>A document and an event of the seeded shop's size.</summary>
internal static class Samples
{
    private const string Description =
        "Sturdy, light and quick to clean, with a warranty of two years and spare parts for ten.";

    private static readonly DateTimeOffset created = new(2026, 1, 2, 3, 4, 5, 678, TimeSpan.Zero);

    public static ProductView View(int id) => new(
        id, "Reliable Steel Lamp", Description, 129.90m, 25, true, false, created, created.AddDays(id),
        new Reference(7, "Home & Garden"), new Rating(4.25m, 8), 3);

    public static byte[] Json(int id) => JsonSerializer.SerializeToUtf8Bytes(View(id), ReadModelJson.Wire.ProductView);

    /// <summary>
    /// Entry <paramref name="position"/> of a log of one resource: a product after a change.
    /// </summary>
    public static LogEntry Event(int position, int id)
    {
        var state = new ProductState(
            id, "Reliable Steel Lamp", Description, 129.90m, 25, true, false, 7, created, created.AddDays(1), position,
            null, null, []);
        return new LogEntry(
            position, position - 1, Guid.CreateVersion7(created), "apexshop.product.updated", Resource.Products.Name,
            id,
            created, null,
            JsonSerializer.SerializeToUtf8Bytes(state, EventJson.Wire.ProductState));
    }
}
