using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Json;
using ApexShop.Resources;

namespace ApexShop.ReadModels;

/// <summary>The exact JSON of the documents as they are stored and served; every view is listed once.</summary>
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
    /// <summary>The contracts with text as plain UTF-8: the bytes are JSON on a wire, never script in a page.</summary>
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
        Default.GetTypeInfo(Views[Resource.Of(resource)]) ?? throw new InvalidOperationException($"The view of {resource} has no JSON contract.");
}
