using System.Net;
using System.Text.Json;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class FieldSelectionTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory, ClassData(typeof(EveryResource))]
    public async Task Each_member_can_be_selected_and_has_the_value_of_the_whole_document(string resource)
    {
        var whole = await shop.Http.JsonAsync($"{resource}/9");
        foreach (var name in ReadModelJson.ViewOf(resource).Properties.Select(property => property.Name))
        {
            var expected = $"{{\"{name}\":{whole.GetProperty(name).GetRawText()}}}";
            (await shop.Http.GetStringAsync($"{resource}/9?fields={name}")).ShouldBe(expected);
            var batch = await shop.Http.GetStringAsync($"{resource}/batch?ids=9&fields={name}");
            batch.ShouldBe($"{{\"data\":[{expected}],\"missing\":[]}}");
        }
    }

    [Theory]
    [InlineData("v2")]
    [InlineData("cursor")]
    [InlineData("")]
    public async Task A_page_has_the_selected_members_of_each_document_and_its_whole_envelope(string list)
    {
        var whole = await shop.Http.JsonAsync($"orders/{list}?pageSize=7");
        var page = await shop.Http.JsonAsync($"orders/{list}?pageSize=7&fields=items,id");

        page.EnumerateObject().Select(member => member.Name)
            .ShouldBe(whole.EnumerateObject().Select(member => member.Name));
        foreach (var (document, order) in page.GetProperty("data").EnumerateArray()
            .Zip(whole.GetProperty("data").EnumerateArray()))
        {
            // In the order of the document, whatever the order of the parameter.
            document.EnumerateObject().Select(member => member.Name).ShouldBe(["id", "items"]);
            JsonElement.DeepEquals(document.GetProperty("items"), order.GetProperty("items")).ShouldBeTrue();
        }
    }

    [Fact]
    public async Task A_cursor_continues_the_list_with_or_without_the_selection()
    {
        var first = await shop.Http.JsonAsync("products/cursor?pageSize=4&fields=id");
        var cursor = first.GetProperty("nextCursor").GetString();

        var ids = Documents.Ids((await shop.Http.JsonAsync($"products/cursor?pageSize=4&after={cursor}&fields=id,name"))
            .GetProperty("data"));
        ids.ShouldBe(Documents.Ids((await shop.Http.JsonAsync($"products/cursor?pageSize=4&after={cursor}"))
            .GetProperty("data")));
    }

    [Fact]
    public async Task Each_selection_has_its_own_ETag()
    {
        var etags = new List<string>();
        foreach (var query in (string[])["", "?fields=id", "?fields=id,name"])
        {
            using var response = await shop.Http.GetAsync($"products/8{query}");
            etags.Add(response.Headers.ETag!.ToString());
        }

        etags.ShouldBeUnique();
        using var same = await shop.Http.GetAsync("products/8?fields=id", "If-None-Match", etags[1]);
        same.StatusCode.ShouldBe(HttpStatusCode.NotModified);
    }

    [Theory]
    [InlineData("products/8?fields=")]
    [InlineData("products/8?fields=price,")]
    [InlineData("products/8?fields=Price")]
    [InlineData("products/8?fields=totalAmount")]
    [InlineData("products/8?fields=id,name,id")]
    [InlineData("products/v2?fields=id&fields=name")]
    [InlineData("products/cursor?fields=category.name")]
    [InlineData("products/batch?ids=8&fields=all")]
    [InlineData("products/stream?fields=id")]
    public async Task Other_names_are_refused(string path)
    {
        using var response = await shop.Http.GetAsync(path);
        var problem = await response.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
        problem.GetProperty("errors").TryGetProperty("fields", out _).ShouldBeTrue();
    }
}
