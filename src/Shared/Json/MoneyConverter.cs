using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Json;

/// <summary>Decimals as JSON numbers with two decimals, independent of the scale of the value.</summary>
public sealed class MoneyConverter : JsonConverter<decimal>
{
    public override decimal Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.GetDecimal();

    public override void Write(Utf8JsonWriter writer, decimal value, JsonSerializerOptions options)
    {
        Span<byte> text = stackalloc byte[40];
        value.TryFormat(text, out var length, "F2", CultureInfo.InvariantCulture);
        writer.WriteRawValue(text[..length], skipInputValidation: true);
    }
}
