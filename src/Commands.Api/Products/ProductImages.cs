using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Products;

/// <summary>The images of a product as JSON, in the column of its row.</summary>
internal static class ProductImages
{
    private static JsonTypeInfo<IReadOnlyList<ProductImageState>> Contract =>
        EventJson.Wire.IReadOnlyListProductImageState;

    /// <summary>
    /// As PostgreSQL would write it: product_state copies this text into the state, whose checksum must be that of the
    /// document's.
    /// </summary>
    public static string Write(IReadOnlyList<ProductImageState> images) => Encoding.UTF8.GetString(
        StateChecksum.AsPostgreSql(JsonSerializer.SerializeToUtf8Bytes(images, Contract)));

    public static IReadOnlyList<ProductImageState> Read(string json) => JsonSerializer.Deserialize(json, Contract)!;
}
