using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace ApexShop.Client;

// Compiled by the generator, so that the package works in trimmed and native programs.
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    UseStringEnumConverter = true)]
[JsonSerializable(typeof(Page<Product>))]
[JsonSerializable(typeof(Page<Category>))]
[JsonSerializable(typeof(Page<Order>))]
[JsonSerializable(typeof(Page<Review>))]
[JsonSerializable(typeof(Page<User>))]
[JsonSerializable(typeof(Batch<Product>))]
[JsonSerializable(typeof(Batch<Category>))]
[JsonSerializable(typeof(Batch<Order>))]
[JsonSerializable(typeof(Batch<Review>))]
[JsonSerializable(typeof(Batch<User>))]
[JsonSerializable(typeof(ProductFacets))]
[JsonSerializable(typeof(SearchSuggestions))]
[JsonSerializable(typeof(ProductQuery))]
[JsonSerializable(typeof(CategoryQuery))]
[JsonSerializable(typeof(OrderQuery))]
[JsonSerializable(typeof(ReviewQuery))]
[JsonSerializable(typeof(UserQuery))]
[JsonSerializable(typeof(IReadOnlyList<ProductInput>))]
[JsonSerializable(typeof(IReadOnlyList<CategoryInput>))]
[JsonSerializable(typeof(IReadOnlyList<ReviewInput>))]
[JsonSerializable(typeof(IReadOnlyList<UserInput>))]
[JsonSerializable(typeof(IReadOnlyList<ProductItem>))]
[JsonSerializable(typeof(IReadOnlyList<CategoryItem>))]
[JsonSerializable(typeof(IReadOnlyList<ReviewItem>))]
[JsonSerializable(typeof(IReadOnlyList<UserItem>))]
[JsonSerializable(typeof(IReadOnlyList<int>))]
[JsonSerializable(typeof(ProductReplacement))]
[JsonSerializable(typeof(OrderInput))]
[JsonSerializable(typeof(OrderReplacement))]
[JsonSerializable(typeof(ReviewReplacement))]
[JsonSerializable(typeof(StockInput))]
[JsonSerializable(typeof(CategoryStockInput))]
[JsonSerializable(typeof(SessionInput))]
[JsonSerializable(typeof(BulkCreated))]
[JsonSerializable(typeof(BulkReplaced))]
[JsonSerializable(typeof(RemovedRows))]
[JsonSerializable(typeof(ChangedRows))]
[JsonSerializable(typeof(DeletedRows))]
[JsonSerializable(typeof(CustomerToken))]
[JsonSerializable(typeof(ChunkLine))]
[JsonSerializable(typeof(JsonObject))]
internal sealed partial class ShopJson : JsonSerializerContext
{
    public static JsonTypeInfo<T> Of<T>() => (JsonTypeInfo<T>)Default.GetTypeInfo(typeof(T))!;

    public static byte[] Bytes<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, Of<T>());
}
