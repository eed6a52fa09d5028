using System.Buffers.Text;
using System.Security.Cryptography;
using ApexShop.Access;
using ApexShop.TestKit;
using Microsoft.Extensions.Options;

namespace ApexShop.Shared.Tests.Access;

public sealed class CustomerTokensTests
{
    private static readonly string key = Convert.ToBase64String(RandomNumberGenerator.GetBytes(32));

    private readonly ManualClock clock = new();

    [Fact]
    public void A_token_names_its_customer_until_its_end()
    {
        var tokens = Tokens(key);
        var written = tokens.Write(17);

        written.CustomerId.ShouldBe(17);
        written.ExpiresAt.ShouldBe(clock.GetUtcNow().UtcDateTime.AddHours(12));
        var caller = tokens.FindPrincipal(written.Token)!;
        Customer.IdOf(caller).ShouldBe(17);
        caller.Identity!.Name.ShouldBe("users/17");
        caller.Claims.ShouldNotContain(claim => claim.Type == "scope");

        clock.Advance(TimeSpan.FromHours(12) - TimeSpan.FromSeconds(1));
        tokens.FindPrincipal(written.Token).ShouldNotBeNull();
        clock.Advance(TimeSpan.FromSeconds(1));
        tokens.FindPrincipal(written.Token).ShouldBeNull();
    }

    [Fact]
    public void A_token_with_one_changed_bit_is_not_valid()
    {
        var tokens = Tokens(key);
        var token = tokens.Write(17).Token;
        var prefix = token[..(token.IndexOf('_', StringComparison.Ordinal) + 1)];
        var bytes = Base64Url.DecodeFromChars(token.AsSpan(prefix.Length));
        for (var bit = 0; bit < bytes.Length * 8; bit++)
        {
            byte[] changed = [.. bytes];
            changed[bit / 8] ^= (byte)(1 << (bit % 8));
            tokens.FindPrincipal(prefix + Base64Url.EncodeToString(changed)).ShouldBeNull($"bit {bit}");
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("customer_")]
    [InlineData("customer_AAAA")]
    [InlineData("CUSTOMER_")]
    [InlineData("other_")]
    public void A_text_that_is_no_token_is_not_valid(string start)
    {
        var tokens = Tokens(key);
        var token = tokens.Write(17).Token;
        tokens.FindPrincipal(start).ShouldBeNull();
        tokens.FindPrincipal(start + token["customer_".Length..] + "=").ShouldBeNull();
        if (start != "customer_") tokens.FindPrincipal(start + token["customer_".Length..]).ShouldBeNull();
        tokens.FindPrincipal(token[..^1]).ShouldBeNull();
        tokens.FindPrincipal(token + "A").ShouldBeNull();
        tokens.FindPrincipal(" " + token).ShouldBeNull();
    }

    [Fact]
    public void A_token_of_another_key_is_not_valid()
    {
        var other = Tokens(Convert.ToBase64String(RandomNumberGenerator.GetBytes(32))).Write(17).Token;

        Tokens(key).FindPrincipal(other).ShouldBeNull();
    }

    [Fact]
    public void A_signature_with_the_same_key_for_another_purpose_is_not_valid()
    {
        var content = Base64Url.DecodeFromChars(Tokens(key).Write(17).Token.AsSpan("customer_".Length)).AsSpan(..13);
        byte[] signature = HMACSHA256.HashData(Convert.FromBase64String(key), content);
        var forged = "customer_" + Base64Url.EncodeToString([.. content, .. signature]);

        Tokens(key).FindPrincipal(forged).ShouldBeNull();
    }

    [Fact]
    public void Without_a_key_no_token_is_written_or_valid()
    {
        var off = Tokens("");
        var content = Base64Url.DecodeFromChars(Tokens(key).Write(17).Token.AsSpan("customer_".Length)).AsSpan(..13);
        byte[] signed = [.. "ApexShop customer token\n"u8, .. content];
        byte[] signature = HMACSHA256.HashData(Array.Empty<byte>(), signed);
        var forged = "customer_" + Base64Url.EncodeToString([.. content, .. signature]);

        off.IsOn.ShouldBeFalse();
        off.FindPrincipal(forged).ShouldBeNull();
        Should.Throw<InvalidOperationException>(() => off.Write(17));
    }

    private CustomerTokens Tokens(string with) => new(Options.Create(new SessionOptions { Key = with }), clock);
}
