using System.Buffers;
using System.Buffers.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Reads decimals of bodies without losing decimals: a decimal rounds a number with more than 28 digits, and the
/// rounded one could be a valid price (<see cref="Commands.Validation.MoneyAttribute"/>).
/// </summary>
internal sealed class ExactDecimalConverter : JsonConverter<decimal>
{
    // A third decimal stands for all that were lost, so that the price is refused like any other with three decimals.
    private const decimal LostDecimals = 0.001m;

    public override decimal Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var number = reader.GetDecimal();
        if (decimal.Round(number, 2) != number) return number;
        var text = reader.HasValueSequence ? reader.ValueSequence.ToArray() : reader.ValueSpan;
        return Decimals(text) > 2 ? number + LostDecimals : number;
    }

    public override void Write(Utf8JsonWriter writer, decimal value, JsonSerializerOptions options) =>
        writer.WriteNumberValue(value);

    // Zeros at the end are none: 10.100 and 10100e-3 have one decimal.
    private static long Decimals(ReadOnlySpan<byte> text)
    {
        var mark = text.IndexOfAny((byte)'e', (byte)'E');
        var digits = mark < 0 ? text : text[..mark];
        if (!digits.ContainsAnyInRange((byte)'1', (byte)'9')) return 0;
        var dot = digits.IndexOf((byte)'.');
        var fraction = dot < 0 ? 0 : digits.Length - dot - 1;
        var zeros = 0;
        for (var i = digits.Length - 1; digits[i] is (byte)'0' or (byte)'.'; i--) zeros += digits[i] == '0' ? 1 : 0;
        return fraction - zeros - ExponentOf(mark < 0 ? [] : text[(mark + 1)..]);
    }

    private static long ExponentOf(ReadOnlySpan<byte> text)
    {
        if (text.IsEmpty) return 0;
        var magnitude = text[0] is (byte)'+' or (byte)'-' ? text[1..] : text;
        // An exponent that is too long to be read is larger than any that matters.
        var exponent = Utf8Parser.TryParse(magnitude, out int read, out _) ? read : int.MaxValue;
        return text[0] == '-' ? -exponent : exponent;
    }
}
