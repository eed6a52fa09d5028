using ApexShop.Queries.Api.Reading;

namespace ApexShop.Queries.Api.Tests.Reading;

public sealed class CursorTests
{
    [Theory]
    [InlineData(1, 0)]
    [InlineData(long.MaxValue, int.MaxValue)]
    public void What_is_written_is_read_back(long epoch, int lastId)
    {
        var token = new Cursor(epoch, lastId, "products").ToString();
        Cursor.TryParse(token, "products", out var cursor).ShouldBeTrue();
        cursor.ShouldBe(new Cursor(epoch, lastId, "products"));
        Uri.EscapeDataString(token).ShouldBe(token);
    }

    [Fact]
    public void A_token_that_is_cut_foreign_or_too_long_is_not_understood()
    {
        var token = new Cursor(1, 2, "products").ToString();
        for (var length = 0; length < token.Length; length++)
        {
            Cursor.TryParse(token[..length], "products", out _).ShouldBeFalse();
        }

        Cursor.TryParse(token, "orders", out _).ShouldBeFalse();
        Cursor.TryParse(token + new string('A', 1000), "products", out _).ShouldBeFalse();
        Cursor.TryParse("Ag" + token[2..], "products", out _).ShouldBeFalse();
    }
}
