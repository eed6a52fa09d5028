using System.Net;
using System.Text.Json;
using ApexShop.Queries.Api.Endpoints;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class ListDocumentsByIdTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory, ClassData(typeof(EveryResource))]
    public async Task Documents_are_in_the_order_of_the_ids_with_the_stored_bytes(string resource)
    {
        int[] ids = [9, 2, 29, 7];
        var list = await shop.Http.JsonAsync($"{resource}/batch?ids={string.Join(',', ids)}");

        var documents = list.GetProperty("data").EnumerateArray().Select(document => document.GetRawText());
        documents.ShouldBe(ids.Select(id => System.Text.Encoding.UTF8.GetString(Documents.Body(resource, id))));
        list.GetProperty("missing").GetArrayLength().ShouldBe(0);
    }

    [Theory, ClassData(typeof(EveryResource))]
    public async Task Ids_without_a_document_are_named(string resource)
    {
        var deleted = FewOfEach.Deleted[0];
        var list = await shop.Http.JsonAsync($"{resource}/batch?ids=31,6,{deleted},0,{int.MaxValue}");
        Documents.Ids(list.GetProperty("data")).ShouldBe([6]);
        list.GetProperty("missing").Deserialize<int[]>().ShouldBe([31, deleted, 0, int.MaxValue]);

        var none = await shop.Http.JsonAsync($"{resource}/batch?ids=31");
        none.GetProperty("data").GetArrayLength().ShouldBe(0);
        none.GetProperty("missing").Deserialize<int[]>().ShouldBe([31]);
    }

    [Fact]
    public async Task A_hundred_ids_are_read_at_once_and_a_hundred_and_one_refused()
    {
        var all = Enumerable.Range(1, ListDocumentsById.Most).ToList();
        var list = await shop.Http.JsonAsync($"products/batch?ids={string.Join(',', all)}");
        (list.GetProperty("data").GetArrayLength() + list.GetProperty("missing").GetArrayLength())
            .ShouldBe(ListDocumentsById.Most);

        using var response = await shop.Http.GetAsync($"products/batch?ids={string.Join(',', all.Append(101))}");
        await response.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
    }

    [Theory]
    [InlineData("products/batch")]
    [InlineData("products/batch?ids=")]
    [InlineData("products/batch?ids=1,")]
    [InlineData("products/batch?ids=1,,2")]
    [InlineData("products/batch?ids=1, 2")]
    [InlineData("products/batch?ids=1,01")]
    [InlineData("products/batch?ids=1,2,1")]
    [InlineData("products/batch?ids=-1")]
    [InlineData("products/batch?ids=2147483648")]
    [InlineData("products/batch?ids=1&ids=2")]
    [InlineData("products/batch?ids=1&pageSize=5")]
    public async Task Anything_but_different_ids_is_refused(string path)
    {
        using var response = await shop.Http.GetAsync(path);
        await response.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
    }

    [Fact]
    public async Task The_response_has_an_ETag_that_changes_with_any_of_its_documents()
    {
        const string path = "categories/batch?ids=11,12";
        using var first = await shop.Http.GetAsync(path);
        var etag = first.Headers.ETag!.ToString();
        using var same = await shop.Http.GetAsync(path, "If-None-Match", etag);
        same.StatusCode.ShouldBe(HttpStatusCode.NotModified);

        await shop.PutAsync("categories", [12], _ => "{\"id\":12,\"name\":\"new\"}"u8.ToArray());
        using var changed = await shop.Http.GetAsync(path, "If-None-Match", etag);

        changed.StatusCode.ShouldBe(HttpStatusCode.OK);
        (await changed.Content.ReadAsStringAsync()).ShouldContain("\"name\":\"new\"");
    }
}
