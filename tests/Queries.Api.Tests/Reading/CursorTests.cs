using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Reading;

public sealed class CursorTests
{
    private static readonly Cursors cursors = With(1);

    public static TheoryData<string, string, object?> Places() => new()
    {
        { "products", "", null },
        { "products", "sort=price", 12.5m },
        { "products", "sort=-price&minPrice=1", 0.99m },
        { "products", "sort=name", "T\u00F6pfe \"\u6F22\" \U0001F600\n" },
        { "products", "sort=name", "" },
        { "products", "sort=rating", 4.25m },
        {
            "products",
            "modifiedAfter=2026-01-01",
            new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc).AddMicroseconds(123_456)
        },
        { "reviews", "sort=-rating", 5 },
    };

    [Theory, MemberData(nameof(Places))]
    public void What_is_written_is_read_back(string resource, string query, object? value)
    {
        var list = List(resource, query);
        foreach (var (epoch, id) in ((long, int)[])[(1, 0), (long.MaxValue, int.MaxValue)])
        {
            var cursor = new Cursor(epoch, new KeysetPosition(value, id));
            var token = cursors.Write(list, cursor);
            cursors.Read(list, token).ShouldBe(cursor);
            Uri.EscapeDataString(token).ShouldBe(token);
        }
    }

    [Fact]
    public void A_token_that_was_changed_or_shortened_is_invalid()
    {
        var list = List("products", "sort=price");
        var token = cursors.Write(list, new Cursor(1, new KeysetPosition(12.5m, 7)));
        var bytes = WebEncoders.Base64UrlDecode(token);
        for (var i = 0; i < bytes.Length; i++)
        {
            byte[] changed = [.. bytes];
            changed[i] ^= 1;
            cursors.Read(list, WebEncoders.Base64UrlEncode(changed)).ShouldBeNull();
            cursors.Read(list, WebEncoders.Base64UrlEncode(bytes[..i])).ShouldBeNull();
        }

        cursors.Read(list, token + new string('A', 4000)).ShouldBeNull();
        cursors.Read(list, "+/=").ShouldBeNull();
    }

    [Theory]
    [InlineData("products", "sort=price&inStock=false")]
    [InlineData("products", "sort=price")]
    [InlineData("products", "sort=-price&inStock=true")]
    [InlineData("products", "inStock=true")]
    [InlineData("products", "sort=price&inStock=true&q=chair")]
    [InlineData("products", "sort=price&isActive=true")]
    [InlineData("reviews", "sort=newest")]
    public void A_token_belongs_to_one_resource_one_sort_and_one_set_of_filters(string resource, string query)
    {
        var own = List("products", "sort=price&inStock=true");
        var token = cursors.Write(own, new Cursor(1, new KeysetPosition(12.5m, 7)));
        cursors.Read(own, token).ShouldNotBeNull();
        cursors.Read(List(resource, query), token).ShouldBeNull();
    }

    [Fact]
    public void The_same_filters_in_another_spelling_are_the_same_list()
    {
        var token = cursors.Write(
            List("products", "minPrice=10&sort=price"), new Cursor(1, new KeysetPosition(12.5m, 7)));
        cursors.Read(List("products", "sort=price&MinPrice=10.00"), token).ShouldNotBeNull();
    }

    [Fact]
    public void A_token_needs_the_key_it_was_signed_with()
    {
        var list = List("products", "");
        var token = cursors.Write(list, new Cursor(1, new KeysetPosition(null, 7)));
        With(1).Read(list, token).ShouldNotBeNull();
        With(2).Read(list, token).ShouldBeNull();
    }

    private static Cursors With(byte key) =>
        new(Options.Create(new ReadingOptions { CursorKey = Convert.ToBase64String([.. Enumerable.Repeat(key, 32)]) }));

    private static ListQuery List(string resource, string query)
    {
        var parameters = new QueryParameters(new QueryCollection(QueryHelpers.ParseQuery(query)));
        var list = ListQuery.From(ReadModel.All.First(one => one.Name == resource), parameters);
        parameters.Problem().ShouldBeNull();
        return list;
    }
}
