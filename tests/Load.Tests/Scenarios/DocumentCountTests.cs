using System.Text;
using ApexShop.Load.Scenarios;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Load.Tests.Scenarios;

public sealed class DocumentCountTests
{
    // 1, {"a": [true, "xy"]}, a timestamp, 300, an empty map, a text of 40 bytes, a double, map 16, array 32, bin 8.
    private static readonly byte[] values =
    [
        0x01, 0x81, 0xA1, 0x61, 0x92, 0xC3, 0xA2, 0x78, 0x79, 0xD6, 0xFF, 0, 0, 0, 1, 0xCD, 0x01, 0x2C, 0x80,
        0xD9, 40, .. Enumerable.Repeat((byte)0xC3, 40), 0xCB, 0, 0, 0, 0, 0, 0, 0, 0,
        0xDE, 0, 1, 0xA0, 0xC0, 0xDD, 0, 0, 0, 2, 0x90, 0xE0, 0xC4, 2, 0xC1, 0xC1,
    ];

    private const string Array = """[{"name":"a \"[{\\","tags":[1,2]},{"x":{"y":{}}},{}]""";

    [Fact]
    public void Values_are_counted_for_any_split_of_the_bytes() =>
        Prop.ForAll(Cuts(values.Length).ToArbitrary(), cuts =>
    {
        Count(new MessagePackCount(), values, cuts).ShouldBe((10, true));
        var text = Encoding.UTF8.GetBytes(Array);
        Count(new ArrayCount(), text, cuts).ShouldBe((3, true));
        Count(new LineCount(), Encoding.UTF8.GetBytes("{}\n{\"a\":1}\n"), cuts).ShouldBe((2, true));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_stream_that_is_cut_within_a_value_is_not_complete()
    {
        var whole = new HashSet<int> { 0 };
        for (var end = 1; end <= values.Length; end++)
        {
            var count = new MessagePackCount();
            count.Read(values.AsSpan(0, end));
            if (count.IsComplete) whole.Add(end);
        }

        whole.ShouldBe([0, 1, 9, 15, 18, 19, 61, 70, 75, 82, 86], ignoreOrder: true);
    }

    [Fact]
    public void An_array_or_a_line_that_is_cut_is_not_complete()
    {
        var text = Encoding.UTF8.GetBytes(Array);
        for (var end = 0; end < text.Length; end++) Count(new ArrayCount(), text[..end], []).Complete.ShouldBeFalse();
        Count(new LineCount(), "{}\n{"u8.ToArray(), []).ShouldBe((1, false));
        Count(new ArrayCount(), "[]"u8.ToArray(), []).ShouldBe((0, true));
    }

    private static (long Documents, bool Complete) Count(IDocumentCount count, byte[] bytes, IEnumerable<int> cuts)
    {
        var from = 0;
        foreach (var cut in cuts.Where(cut => cut < bytes.Length).Append(bytes.Length).Order())
        {
            count.Read(bytes.AsSpan(from, cut - from));
            from = cut;
        }

        return (count.Documents, count.IsComplete);
    }

    private static Gen<int[]> Cuts(int length) => Gen.Choose(0, length).ListOf().Select(cuts => cuts.ToArray());
}
