using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Commands.Api.Tests.Fuzz;

/// <summary>
/// JSON as text, since what is wrong with it could not be said in values: twice the same member, 1e400, half a
/// surrogate.
/// </summary>
internal static class JsonTexts
{
    private static readonly string[] words =
    [
        "x", "Lamp", "Pending", "Shipped", "a@b.example", "'; DROP TABLE shop.users; --", "<script>", "%00",
        "../../etc/passwd", "{0}", "null",
        "\\n", "\\t", "\\u0000", "\\u001b", "\\u0085", "\\u2028", "\\ud800", "\\udc00\\ud800", "\\ud83d\\ude00",
        "\\uffff", "\\u202e", "\\/", "\\x", "\n", "\u0001",
    ];

    private static readonly string[] numbers =
    [
        "0", "-0", "1", "-1", "7", "2147483647", "2147483648", "-2147483648", "9223372036854775807",
        "9223372036854775808", "1e3", "1E+2", "1e400", "-1e400",
        "1e-400", "0.1", "0.001", "12.25", "9999999999999999.99", "10000000000000000", "79228162514264337593543950336",
        "123456789012345678901234567890",
        "NaN", "Infinity", "-Infinity", "007", "1.", "+1", ".5", "0x1f", "1_000",
    ];

    private static readonly string[] others =
        ["true", "false", "null", "[]", "{}", "\"\"", "", "undefined", "[,]", "{,}", "/**/1", "'x'"];

    private static readonly string[] members =
    [
        "id", "version", "passwordHash", "isVerifiedPurchase", "totalAmount", "createdDate", "name", "Name",
        "$type", "$ref", "__proto__", "", "\\u0000", "\\ud800",
    ];

    public static Gen<string> Word { get; } = Gen.Frequency(
        (20, Gen.Elements(words)),
        (3, from length in Gen.Elements(32, 33, 100, 101, 200, 201, 254, 255, 500, 501, 2000, 2001)
            select new string('y', length)),
        (1, Gen.Constant(new string('z', 70_000))));

    public static Gen<string> Number { get; } = Gen.Frequency(
        (2, Gen.Elements(numbers)),
        (1, from number in Gen.Choose(int.MinValue, int.MaxValue)
            select number.ToString(System.Globalization.CultureInfo.InvariantCulture)));

    private static Gen<string> Leaf { get; } = Gen.Frequency((3, Text(Word)), (3, Number), (2, Gen.Elements(others)));

    /// <summary>Any JSON at all, and some that is none.</summary>
    public static Gen<string> Any { get; } = Gen.Sized(size => Tree(Math.Min(size, 30))).Resize(30);

    public static Gen<string> Deep { get; } =
        from depth in Gen.Elements(31, 32, 33, 64, 65, 10_000)
        from open in Gen.Elements("[", "{\"a\":")
        from isClosed in Gen.Elements(true, false)
        select string.Concat(Enumerable.Repeat(open, depth))
            + "1" + (isClosed ? string.Concat(Enumerable.Repeat(open == "[" ? "]" : "}", depth)) : "");

    public static Gen<string> Unknown { get; } =
        from name in Gen.Elements(members) from value in Any select $"\"{name}\":{value}";

    public static Gen<string> Text(Gen<string> word) => from inner in word select $"\"{inner}\"";

    public static Gen<string> List(Gen<string> item, int most) =>
        from count in Gen.Choose(0, most) from items in Gen.ArrayOf(item, count) select $"[{string.Join(',', items)}]";

    private static Gen<string> Tree(int size) => size < 2
        ? Leaf
        : Gen.Frequency(
            (3, Leaf),
            (1, List(Tree(size / 3), 3)),
            (1, from names in Gen.ArrayOf(Gen.Elements(members), 2)
                from values in Gen.ArrayOf(Tree(size / 3), 2)
                select "{" + string.Join(',', names.Zip(values, (name, value) => $"\"{name}\":{value}")) + "}"));
}
