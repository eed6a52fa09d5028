using System.Buffers;
using ApexShop.Queries.Api.Streaming.Formats;

namespace ApexShop.Queries.Api.Tests.Streaming.Formats;

/// <summary>The expected bytes were derived from the specification (github.com/msgpack/msgpack, spec.md).</summary>
public sealed class MessagePackWriterTests
{
    [Theory]
    [InlineData(0, "00")]
    [InlineData(127, "7f")]
    [InlineData(128, "cc80")]
    [InlineData(255, "ccff")]
    [InlineData(256, "cd0100")]
    [InlineData(65_535, "cdffff")]
    [InlineData(65_536, "ce00010000")]
    [InlineData(4_294_967_295, "ceffffffff")]
    [InlineData(4_294_967_296, "cf0000000100000000")]
    [InlineData(long.MaxValue, "cf7fffffffffffffff")]
    [InlineData(-1, "ff")]
    [InlineData(-32, "e0")]
    [InlineData(-33, "d0df")]
    [InlineData(-128, "d080")]
    [InlineData(-129, "d1ff7f")]
    [InlineData(-32_768, "d18000")]
    [InlineData(-32_769, "d2ffff7fff")]
    [InlineData(-2_147_483_648, "d280000000")]
    [InlineData(-2_147_483_649, "d3ffffffff7fffffff")]
    [InlineData(long.MinValue, "d38000000000000000")]
    public void Whole_numbers_take_their_shortest_form(long value, string expected) =>
        Written(output => MessagePackWriter.WriteInteger(output, value)).ShouldBe(expected);

    [Fact]
    public void The_largest_number_of_all_is_unsigned() =>
        Written(output => MessagePackWriter.WriteInteger(output, ulong.MaxValue)).ShouldBe("cfffffffffffffffff");

    [Fact]
    public void Nil_true_and_false_are_a_byte_each()
    {
        Written(MessagePackWriter.WriteNil).ShouldBe("c0");
        Written(output => MessagePackWriter.WriteBoolean(output, false)).ShouldBe("c2");
        Written(output => MessagePackWriter.WriteBoolean(output, true)).ShouldBe("c3");
    }

    [Theory]
    [InlineData(0.5, "cb3fe0000000000000")]
    [InlineData(-1.25, "cbbff4000000000000")]
    [InlineData(9.99, "cb4023fae147ae147b")]
    public void Fractions_are_float_64(double value, string expected) =>
        Written(output => MessagePackWriter.WriteDouble(output, value)).ShouldBe(expected);

    [Theory]
    [InlineData(0, "a0")]
    [InlineData(31, "bf")]
    [InlineData(32, "d920")]
    [InlineData(255, "d9ff")]
    [InlineData(256, "da0100")]
    [InlineData(65_535, "daffff")]
    [InlineData(65_536, "db00010000")]
    public void Text_is_headed_by_its_length_in_bytes(int length, string head)
    {
        var text = new byte[length];
        text.AsSpan().Fill((byte)'a');
        Written(output => MessagePackWriter.WriteString(output, text)).ShouldBe(head + Convert.ToHexStringLower(text));
    }

    [Theory]
    [InlineData(0, "90", "80")]
    [InlineData(15, "9f", "8f")]
    [InlineData(16, "dc0010", "de0010")]
    [InlineData(65_535, "dcffff", "deffff")]
    [InlineData(65_536, "dd00010000", "df00010000")]
    public void Arrays_and_maps_are_headed_by_their_count(int count, string array, string map)
    {
        Written(output => MessagePackWriter.WriteArrayHeader(output, count)).ShouldBe(array);
        Written(output => MessagePackWriter.WriteMapHeader(output, count)).ShouldBe(map);
    }

    [Theory]
    [InlineData(0, 0, "d6ff00000000")]
    [InlineData(uint.MaxValue, 0, "d6ffffffffff")]
    [InlineData(0, 1, "d7ff0000000400000000")]
    [InlineData(1, 999_999_999, "d7ffee6b27fc00000001")]
    [InlineData(4_294_967_296, 0, "d7ff0000000100000000")]
    [InlineData(17_179_869_183, 0, "d7ff00000003ffffffff")]
    [InlineData(17_179_869_184, 0, "c70cff000000000000000400000000")]
    [InlineData(-1, 5, "c70cff00000005ffffffffffffffff")]
    public void Times_are_extension_minus_one_in_its_shortest_form(long seconds, uint nanoseconds, string expected) =>
        Written(output => MessagePackWriter.WriteTimestamp(output, seconds, nanoseconds)).ShouldBe(expected);

    private static string Written(Action<IBufferWriter<byte>> write)
    {
        var output = new ArrayBufferWriter<byte>();
        write(output);
        return Convert.ToHexStringLower(output.WrittenSpan);
    }
}
