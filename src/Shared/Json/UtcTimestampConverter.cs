using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Json;

/// <summary>
/// ISO 8601 in UTC with microseconds, the precision of timestamptz, so that row, event and document have the same
/// value.
/// </summary>
public sealed class UtcTimestampConverter : JsonConverter<DateTimeOffset>
{
    private const string Format = "yyyy-MM-dd'T'HH:mm:ss.FFFFFF'Z'";

    public override DateTimeOffset Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.GetDateTimeOffset().ToUniversalTime();

    public override void Write(Utf8JsonWriter writer, DateTimeOffset value, JsonSerializerOptions options)
    {
        Span<byte> text = stackalloc byte[32];
        value.UtcDateTime.TryFormat(text, out var length, Format, System.Globalization.CultureInfo.InvariantCulture);
        writer.WriteStringValue(text[..length]);
    }
}
