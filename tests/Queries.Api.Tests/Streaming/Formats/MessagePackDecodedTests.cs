using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using ApexShop.Queries.Api.Streaming.Formats;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Streaming.Formats;

/// <summary>An independent decoder reads the values at which the encoding changes.</summary>
public sealed class MessagePackDecodedTests
{
    [Fact]
    public Task Whole_numbers_on_both_sides_of_every_power_of_two()
    {
        var powers = Enumerable.Range(0, 64).Select(power => (Int128)1 << power);
        return ShouldBeReadAsync(
            from number in powers.SelectMany(
                power => (Int128[])[power - 1, power, power + 1, 1 - power, -power, -power - 1]).Append(ulong.MaxValue)
            where number >= long.MinValue && number <= ulong.MaxValue
            select number.ToString(CultureInfo.InvariantCulture));
    }

    [Fact]
    public Task Amounts_to_the_cent() =>
        ShouldBeReadAsync(
            "0.01", "-0.01", "0.5", "4.50", "9.99", "10.00", "-1234567.89", "9999999999999.99", "1234567890123.45");

    [Fact]
    public Task Texts_of_every_length_and_of_more_than_ASCII() => ShouldBeReadAsync(
        from length in (int[])[0, 1, 31, 32, 255, 256, 65_535, 65_536, 100_000]
        from letter in (string[])["x", "\u00e4", "\u6f22", "\U0001F600"]
        select $"\"{string.Concat(Enumerable.Repeat(letter, length))}\"");

    [Fact]
    public Task Escaped_texts() =>
        ShouldBeReadAsync("""
            "\u00e4\n\t\r\b\f\"\\\/\u0000\u001f\ud83d\ude00"
            """);

    [Fact]
    public Task Arrays_and_maps_of_every_size() => ShouldBeReadAsync(
        from count in (int[])[0, 1, 15, 16, 255, 256, 65_535, 65_536]
        from list in (string[])
        [
            $"[{string.Join(',', Enumerable.Range(0, count))}]",
            $"{{{string.Join(',', Enumerable.Range(0, count).Select(i => $"\"k{i}\":{i}"))}}}",
        ]
        select list);

    [Fact]
    public Task Deep_nesting() => ShouldBeReadAsync(
        $"{string.Concat(Enumerable.Repeat("[{\"a\":", 25))}null{string.Concat(Enumerable.Repeat("}]", 25))}");

    [Fact]
    public Task Nothing_true_and_false() => ShouldBeReadAsync("null", "true", "false");

    [Fact]
    public Task Times_from_the_first_year_to_the_last() => ShouldBeReadAsync(
        "\"1970-01-01T00:00:00Z\"", "\"1970-01-01T00:00:00.000001Z\"", "\"1969-12-31T23:59:59.999999Z\"",
        "\"0001-01-01T00:00:00Z\"",
        "\"2026-01-02T03:04:05.1Z\"", "\"2038-01-19T03:14:08Z\"", "\"2106-02-07T06:28:15Z\"",
        "\"2106-02-07T06:28:16Z\"",
        "\"2514-05-30T01:53:03.999999Z\"", "\"2514-05-30T01:53:04Z\"", "\"9999-12-31T23:59:59.999999Z\"",
        "\"2026-01-02T03:04:05\"", "\"soon\"");

    private static Task ShouldBeReadAsync(params IEnumerable<string> values) =>
        ShouldBeReadAsync(
            [.. values.Select(value => $"{{\"aDate\":{value},\"other\":{value}}}")], new ArrayBufferWriter<byte>());

    private static async Task ShouldBeReadAsync(string[] documents, ArrayBufferWriter<byte> output)
    {
        new MessagePackTranscoder().Write(Encoding.UTF8.GetBytes(string.Join('\n', documents)), output);
        var decoded = await PythonMessagePack.DecodeAsync(output.WrittenMemory);

        decoded.Count.ShouldBe(documents.Length);
        foreach (var (packed, document) in decoded.Zip(documents))
        {
            PythonMessagePack.AreEqual(packed, JsonElement.Parse(document)).ShouldBeTrue($"{packed} is not {document}");
        }
    }
}
