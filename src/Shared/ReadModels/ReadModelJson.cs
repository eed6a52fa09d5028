using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Json;
using ApexShop.Resources;

namespace ApexShop.ReadModels;

/// <summary>The JSON contracts of the documents, as they are stored and served.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    RespectRequiredConstructorParameters = true,
    RespectNullableAnnotations = true,
    Converters = [typeof(UtcTimestampConverter), typeof(MoneyConverter)])]
[JsonSerializable(typeof(ProductView))]
[JsonSerializable(typeof(CategoryView))]
[JsonSerializable(typeof(OrderView))]
[JsonSerializable(typeof(ReviewView))]
[JsonSerializable(typeof(UserView))]
public sealed partial class ReadModelJson : JsonSerializerContext
{
    /// <summary>The contracts with unescaped UTF-8 text; the bytes are never part of an HTML page.</summary>
    public static ReadModelJson Wire => field ??= new(new JsonSerializerOptions(Default.Options)
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });

    private static Dictionary<Resource, Type> Views => field ??= new()
    {
        [Resource.Categories] = typeof(CategoryView),
        [Resource.Users] = typeof(UserView),
        [Resource.Products] = typeof(ProductView),
        [Resource.Orders] = typeof(OrderView),
        [Resource.Reviews] = typeof(ReviewView),
    };

    /// <summary>The contract of the documents of a resource.</summary>
    public static JsonTypeInfo ViewOf(string resource) =>
        Views.TryGetValue(Resource.Of(resource), out var view) && Default.GetTypeInfo(view) is { } contract
            ? contract
            : throw new InvalidOperationException($"The documents of {resource} have no JSON contract.");
}
