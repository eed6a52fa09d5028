using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Json;

namespace ApexShop.Events;

/// <summary>The JSON of event data; every contract is listed once.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    RespectRequiredConstructorParameters = true,
    RespectNullableAnnotations = true,
    Converters = [typeof(UtcTimestampConverter), typeof(MoneyConverter)])]
[JsonSerializable(typeof(ProductState))]
[JsonSerializable(typeof(CategoryState))]
[JsonSerializable(typeof(OrderState))]
[JsonSerializable(typeof(ReviewState))]
[JsonSerializable(typeof(UserState))]
[JsonSerializable(typeof(DeletedState))]
public sealed partial class EventJson : JsonSerializerContext
{
    /// <summary>The contracts with text as plain UTF-8: the bytes are JSON on a wire, never script in a page.</summary>
    public static EventJson Wire => field ??= new(new JsonSerializerOptions(Default.Options)
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });

    /// <summary>How a contract is read: a member that may be null may be missing, as it is in events older than it.</summary>
    public static JsonTypeInfo<T> Reading<T>()
        where T : IAggregateState => (JsonTypeInfo<T>)ReadingOptions.GetTypeInfo(typeof(T));

    private static JsonSerializerOptions ReadingOptions => field ??= new(Default.Options)
    {
        TypeInfoResolver = Default.WithAddedModifier(LetNullBeMissing),
    };

    private static void LetNullBeMissing(JsonTypeInfo contract)
    {
        foreach (var member in contract.Properties.Where(member => member.IsGetNullable)) member.IsRequired = false;
    }
}
