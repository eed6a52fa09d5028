using System.Buffers;
using System.Text;
using ApexShop.Queries.Api.Streaming.Formats;

namespace ApexShop.Queries.Api.Tests.Streaming.Formats;

public sealed class MessagePackTranscoderTests
{
    [Theory]
    [InlineData("""{"a":1}""", "81 a161 01")]
    [InlineData("""{"compact":true,"schema":0}""", "82 a7636f6d70616374 c3 a6736368656d61 00")]
    [InlineData("""{}""", "80")]
    [InlineData("""{"a":[],"b":{}}""", "82 a161 90 a162 80")]
    [InlineData("""{"a":[1,[2,3],{"b":null}],"c":false}""", "82 a161 93 01 92 02 03 81 a162 c0 a163 c2")]
    [InlineData("""{"a":"\u00e4\n\"\\"}""", "81 a161 a5 c3a4 0a 22 5c")]
    public void Documents_become_maps_with_the_same_keys_in_the_same_order(string json, string expected) =>
        Hex(json).ShouldBe(expected.Replace(" ", "", StringComparison.Ordinal));

    [Theory]
    [InlineData("9.99", "cb4023fae147ae147b")]
    [InlineData("4.50", "cb4012000000000000")]
    [InlineData("-0.5", "cbbfe0000000000000")]
    [InlineData("10.00", "cb4024000000000000")]
    [InlineData("9999999999999.99", "cb42a2309ce53ffffb")]
    [InlineData("18446744073709551615", "cfffffffffffffffff")]
    public void A_number_that_is_exact_to_the_cent_is_a_number(string number, string expected) =>
        Hex($"{{\"a\":{number}}}")[6..].ShouldBe(expected);

    [Theory]
    [InlineData("0.123")]
    [InlineData("9999999999999999.99")]
    [InlineData("18446744073709551616")]
    [InlineData("1e40")]
    public void Any_other_number_keeps_its_digits_as_text(string number) =>
        Hex($"{{\"a\":{number}}}")[6..]
            .ShouldBe($"{0xa0 + number.Length:x2}{Convert.ToHexStringLower(Encoding.UTF8.GetBytes(number))}");

    [Theory]
    [InlineData("2106-02-07T06:28:15Z", "d6ffffffffff")]
    [InlineData("2106-02-07T06:28:16Z", "d7ff0000000100000000")]
    [InlineData("1970-01-01T00:00:00.000001Z", "d7ff00000fa000000000")]
    [InlineData("1969-12-31T23:59:59.999999Z", "c70cff3b9ac618ffffffffffffffff")]
    public void A_time_in_a_member_called_date_is_a_timestamp(string time, string expected) =>
        Hex($"{{\"aDate\":\"{time}\"}}")[14..].ShouldBe(expected);

    [Theory]
    [InlineData("""{"createdDate":"soon"}""", "a4736f6f6e")]
    [InlineData("""{"createdDate":null}""", "c0")]
    [InlineData("""{"createdDate":"2026-01-02T03:04:05"}""", "b3323032362d30312d30325430333a30343a3035")]
    [InlineData("""{"mandates":"2026-01-02T03:04:05Z"}""", "b4323032362d30312d30325430333a30343a30355a")]
    [InlineData("""{"a":["createdDate","2026-01-02T03:04:05Z"]}""", "b4323032362d30312d30325430333a30343a30355a")]
    public void Nothing_else_is_a_timestamp(string json, string expected) => Hex(json).ShouldEndWith(expected);

    [Fact]
    public void Many_documents_in_one_piece_are_maps_one_after_the_other() =>
        Hex("""
            {"a":[1,{"b":2}]}
            {}
            {"a":3}
            """).ShouldBe("81a1619201" + "81a16202" + "80" + "81a16103");

    private static string Hex(string json) => Convert.ToHexStringLower(Transcoded(json));

    private static byte[] Transcoded(string json)
    {
        var output = new ArrayBufferWriter<byte>();
        new MessagePackTranscoder().Write(Encoding.UTF8.GetBytes(json), output);
        return output.WrittenSpan.ToArray();
    }
}
