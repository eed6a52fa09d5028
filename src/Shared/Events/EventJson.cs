using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Json;

namespace ApexShop.Events;

/// <summary>The JSON contracts of event data.</summary>
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
    /// <summary>The contracts with unescaped UTF-8 text; the bytes are never part of an HTML page.</summary>
    public static EventJson Wire => field ??= new(new JsonSerializerOptions(Default.Options)
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });

    /// <summary>
    /// The contract for reading: a nullable member may be missing, because older events do not have it.
    /// </summary>
    public static JsonTypeInfo<T> Reading<T>()
        where T : IAggregateState => (JsonTypeInfo<T>)ReadingOptions.GetTypeInfo(typeof(T));

    /// <summary>The same of any type of a state; null for a type that no event has.</summary>
    public static JsonTypeInfo? ReadingOf(Type type) =>
        ReadingOptions.TryGetTypeInfo(type, out var contract) ? contract : null;

    private static JsonSerializerOptions ReadingOptions => field ??= new(Default.Options)
    {
        TypeInfoResolver = Default.WithAddedModifier(MakeNullableOptional),
    };

    private static void MakeNullableOptional(JsonTypeInfo contract)
    {
        foreach (var member in contract.Properties)
        {
            if (member.IsGetNullable) member.IsRequired = false;
        }
    }
}
