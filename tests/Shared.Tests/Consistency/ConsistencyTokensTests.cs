using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Consistency;
using ApexShop.Resources;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Shared.Tests.Consistency;

public sealed class ConsistencyTokensTests
{
    private const int Bound = 400;

    private static readonly byte[] key = [.. Enumerable.Range(0, 32).Select(number => (byte)number)];
    private static readonly ConsistencyTokens tokens = new(Convert.ToBase64String(key));

    public static TheoryData<string?> Malformed =>
    [
        null, " ", "=", "1", "products", "1 products.1.1",
        Encoded(""), Encoded(" "), Encoded("0"), Encoded("1 products.1.1"), Encoded("22"), Encoded("2 "), Encoded(" 2"),
        Encoded("2 products"), Encoded("2 products.1"), Encoded("2 products.1.1.1"),
        Encoded("2 products..1"), Encoded("2 products.1."),
        Encoded("2 carts.1.1"), Encoded("2 Products.1.1"), Encoded("2 .1.1"),
        Encoded("2 products.-1.1"), Encoded("2 products.1.-1"), Encoded("2 products.+1.1"), Encoded("2 products.1.1e3"),
        Encoded("2 products.01.1"), Encoded("2 products.1.01"), Encoded("2 products. 1.1"),
        Encoded("2 products.2147483648.1"), Encoded("2 products.1.9223372036854775808"),
        Encoded("2 products.1.1  orders.1.1"), Encoded("2 products.1.1 "), Encoded("2 products.1.1\n"),
        Encoded("2\nproducts.1.1"),
        Encoded("2 products.1.1 products.2.2"), Encoded("2 products.1.1 orders.1.1 products.1.1"),
        Encoded("2 products.1.1\uFFFD"), Encoded("2 products.\u0661.1"), Encoded([0x32, 0x20, 0xFF]),
        Encoded("2 products.1.1") + "=", " " + Encoded("2 products.1.1"), Encoded("2 products.1.1") + "\n",
        Encoded("2 products.1.1").Insert(4, "\r\n"),
        Encoded("2 products.1.1")[..^1], Encoded("2 products.1.1") + "A",
        Encoded("2 products.1.1 orders.1.1") + "==",
        new string('A', Bound), new string('A', Bound + 1), Encoded("2 " + new string('0', 1_000_000)),
    ];

    [Fact]
    public void A_written_token_is_short_and_is_read_as_it_was() => Check.One(
        Config.QuickThrowOnFailure.WithMaxTest(1000),
        Prop.ForAll(Tokens(), token =>
        {
            var text = tokens.Write(token);

            text.Length.ShouldBeLessThanOrEqualTo(Bound);
            text.ShouldAllBe(character => char.IsAsciiLetterOrDigit(character) || character == '-' || character == '_');
            tokens.TryRead(text, out var read).ShouldBeTrue();
            read!.Changes.ShouldBe(token.Changes);
        }));

    [Fact]
    public void A_token_with_a_changed_removed_or_inserted_character_is_refused() => Check.One(
        Config.QuickThrowOnFailure.WithMaxTest(1000),
        Prop.ForAll(Tokens(), Numbers(10_000), Numbers(127), (token, index, code) =>
        {
            var (text, character) = (tokens.Write(token), $"{(char)code}");
            index %= text.Length;
            var removed = text.Remove(index, 1);
            foreach (var other in new[] { removed, text.Insert(index, character), removed.Insert(index, character) })
            {
                if (other != text) tokens.TryRead(other, out _).ShouldBeFalse();
            }
        }));

    [Fact]
    public void Any_text_is_refused_or_is_the_only_text_of_a_token() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(2000), Prop.ForAll(Texts(), text =>
        {
            foreach (var candidate in new[] { text, Encoded(text), Encoded("2 " + text) })
            {
                if (tokens.TryRead(candidate, out var read)) tokens.Write(read).ShouldBe(candidate);
            }
        }));

    [Theory]
    [MemberData(nameof(Malformed))]
    public void Malformed_text_is_refused(string? text)
    {
        tokens.TryRead(text, out var token).ShouldBeFalse();
        token.ShouldBeNull();
    }

    [Fact]
    public void A_token_of_another_key_and_one_without_a_signature_are_refused()
    {
        var token = new ConsistencyToken([new("products", 1, 1)]);
        var foreign = new ConsistencyTokens(Convert.ToBase64String(new byte[32])).Write(token);

        tokens.TryRead(foreign, out _).ShouldBeFalse();
        tokens.TryRead(Base64Url.EncodeToString("2 products.1.1"u8), out _).ShouldBeFalse();
        tokens.TryRead(tokens.Write(token), out _).ShouldBeTrue();
    }

    [Fact]
    public void A_command_that_changed_nothing_has_a_token_too()
    {
        tokens.TryRead(tokens.Write(new ConsistencyToken([])), out var token).ShouldBeTrue();

        token!.Changes.ShouldBeEmpty();
    }

    [Fact]
    public void The_largest_token_is_within_the_bound_and_is_read()
    {
        var largest = new ConsistencyToken([.. Resource.Names.Select(
            resource => new ConsistencyToken.Change(resource, int.MaxValue, long.MaxValue))]);

        tokens.Write(largest).Length.ShouldBeLessThanOrEqualTo(Bound);
        tokens.TryRead(tokens.Write(largest), out var read).ShouldBeTrue();
        read!.Changes.ShouldBe(largest.Changes);
    }

    private static Arbitrary<int> Numbers(int largest) => Gen.Choose(0, largest).ToArbitrary();

    // Each is signed, so that it is refused because of its content.
    private static string Encoded(string text) => Encoded(Encoding.UTF8.GetBytes(text));

    private static string Encoded(byte[] content) =>
        Base64Url.EncodeToString([.. content, .. HMACSHA256.HashData(key, content).AsSpan(0, 16)]);

    private static Arbitrary<ConsistencyToken> Tokens()
    {
        var numbers = Gen.Two(Gen.OneOf(Gen.Choose(0, 100), Gen.Choose(0, int.MaxValue), Gen.Constant(int.MaxValue)));
        var tokens = from some in Gen.SubListOf([.. Resource.Names])
                     from resources in Gen.Shuffle(some.ToArray())
                     from pairs in Gen.ArrayOf(numbers, resources.Length)
                     select new ConsistencyToken([.. resources.Zip(pairs, Change)]);
        return tokens.ToArbitrary();

        static ConsistencyToken.Change Change(string resource, (int Id, int Root) pair) =>
            new(resource, pair.Id, (long)pair.Root * pair.Root);
    }

    // Built from the parts of tokens, so that some texts are nearly tokens.
    private static Arbitrary<string> Texts()
    {
        var pieces = Gen.Elements(
            "1", " ", ".", "0", "17", "-", "products", "orders", "users",
            "999999999999999999999", "\n", "=", "A", "\u00E9");
        return Gen.Sized(size => Gen.ListOf(pieces, size % 12)).Select(string.Concat).ToArbitrary();
    }
}
