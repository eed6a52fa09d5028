using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>Writes the text format of Prometheus (version 0.0.4) without allocations.</summary>
internal static class PrometheusWriter
{
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    private const int LongestNumber = 32;

    /// <summary>Writes a sample: a line with name, labels and value.</summary>
    public static void Sample(
        IBufferWriter<byte> page, ReadOnlySpan<byte> name, ReadOnlySpan<byte> labels, double value) =>
        Sample(page, name, labels, [], value);

    /// <summary>Writes a sample with one more label at the end.</summary>
    public static void Sample(
        IBufferWriter<byte> page,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> labels,
        ReadOnlySpan<byte> last,
        double value)
    {
        page.Write(name);
        if (labels.Length + last.Length > 0)
        {
            page.Write("{"u8);
            page.Write(labels);
            if (labels.Length > 0 && last.Length > 0) page.Write(","u8);
            page.Write(last);
            page.Write("}"u8);
        }

        page.Write(" "u8);
        Number(page, value);
        page.Write("\n"u8);
    }

    /// <summary>A name or a label in UTF-8, to be encoded once and written many times.</summary>
    public static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    /// <summary>A number as text, as in the page and in the label of a bucket.</summary>
    public static string Number(double value)
    {
        var text = new ArrayBufferWriter<byte>(LongestNumber);
        Number(text, value);
        return Encoding.UTF8.GetString(text.WrittenSpan);
    }

    private static void Number(IBufferWriter<byte> page, double value)
    {
        if (double.IsNaN(value)) page.Write("NaN"u8);
        else if (double.IsInfinity(value)) page.Write(value > 0 ? "+Inf"u8 : "-Inf"u8);
        else if (Utf8Formatter.TryFormat(value, page.GetSpan(LongestNumber), out var length)) page.Advance(length);
    }
}
