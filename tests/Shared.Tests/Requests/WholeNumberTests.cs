using ApexShop.Requests;

namespace ApexShop.Shared.Tests.Requests;

public sealed class WholeNumberTests
{
    [Theory]
    [InlineData("0", 0)]
    [InlineData("7", 7)]
    [InlineData("100", 100)]
    [InlineData("9223372036854775807", long.MaxValue)]
    public void Digits_are_a_number(string text, long number)
    {
        WholeNumber.TryParse(text, out var parsed).ShouldBeTrue();
        parsed.ShouldBe(number);
    }

    [Theory]
    [InlineData("100", 100)]
    [InlineData("9223372036854775808", long.MaxValue)]
    [InlineData("99999999999999999999999999999999", long.MaxValue)]
    public void A_number_that_is_too_large_can_count_as_the_largest_one(string text, long number)
    {
        WholeNumber.TryParseAny(text, out var parsed).ShouldBeTrue();
        parsed.ShouldBe(number);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("00")]
    [InlineData("01")]
    [InlineData("+1")]
    [InlineData("-1")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("1\n")]
    [InlineData("1\0")]
    [InlineData("1.0")]
    [InlineData("1,000")]
    [InlineData("1e2")]
    [InlineData("0x1")]
    [InlineData("\u0661")]
    [InlineData("\uff11")]
    [InlineData("9223372036854775808")]
    public void Any_other_text_is_none(string? text) => WholeNumber.TryParse(text, out _).ShouldBeFalse();
}
