using System.Net;
using System.Text.Json;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class ListChangesTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory, ClassData(typeof(EveryResource))]
    public async Task Following_the_cursor_gives_every_document_and_every_tombstone_once(string resource)
    {
        var (living, deleted) = (new Dictionary<int, string>(), new List<int>());
        JsonElement page;
        string? cursor = null;
        do
        {
            page = await ReadAsync(resource, cursor, "&pageSize=7");
            foreach (var change in page.GetProperty("data").EnumerateArray())
            {
                var id = change.GetProperty("id").GetInt32();
                if (change.GetProperty("change").GetString() == "deleted") deleted.Add(id);
                else living.Add(id, change.GetProperty("document").GetRawText());
            }

            cursor = page.GetProperty("nextCursor").GetString();
        }
        while (page.GetProperty("hasMore").GetBoolean());

        deleted.Order().ShouldBe(FewOfEach.Deleted);
        foreach (var id in FewOfEach.Living) living[id].ShouldBe(await shop.Http.GetStringAsync($"{resource}/{id}"));
        living.Count.ShouldBe(FewOfEach.Living.Count);
        (await ReadAsync(resource, cursor)).GetRawText()
            .ShouldBe($$"""{"data":[],"hasMore":false,"nextCursor":"{{cursor}}"}""");
    }

    [Fact]
    public async Task What_is_written_and_deleted_later_is_behind_every_earlier_cursor()
    {
        var before = (await ReadAsync("reviews")).GetProperty("nextCursor").GetString();
        await shop.PutAsync("reviews", [7]);
        await shop.PutAsync("reviews", [3]);
        await shop.DeleteAsync("reviews", [9]);

        var data = (await ReadAsync("reviews", before)).GetProperty("data");
        data[2].GetRawText().ShouldBe("""{"id":9,"change":"deleted"}""");
        Documents.Ids(data).ShouldBe([7, 3, 9]);
        await shop.PutAsync("reviews", [9]);
        Documents.Ids((await ReadAsync("reviews", before)).GetProperty("data")).ShouldBe([7, 3, 9]);
    }

    [Fact]
    public async Task A_document_without_a_row_is_deleted()
    {
        var before = (await ReadAsync("users")).GetProperty("nextCursor").GetString();
        // A document that the other tests expect to be deleted.
        var id = FewOfEach.Deleted[0];
        await shop.PutAsync("users", [id]);
        await shop.ExecuteAsync($"DELETE FROM read.users WHERE id = {id}");

        (await ReadAsync("users", before)).GetProperty("data").GetRawText()
            .ShouldBe($$"""[{"id":{{id}},"change":"deleted"}]""");
    }

    [Fact]
    public async Task A_cursor_from_before_a_rebuild_is_410_with_a_link_to_the_beginning()
    {
        var cursor = (await ReadAsync("orders", null, "&pageSize=2")).GetProperty("nextCursor").GetString();
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = epoch + 1");

        using var answer = await shop.Http.GetAsync($"orders/changes?after={cursor}&pageSize=3");
        await answer.ShouldBeProblemAsync(HttpStatusCode.Gone, "cursor.expired");
        answer.Headers.GetValues("Link").ShouldBe(["</orders/changes?pageSize=3>; rel=\"first\""]);
    }

    [Fact]
    public async Task Nothing_new_is_a_304_and_orders_are_not_stored_anywhere()
    {
        using var first = await shop.Http.GetAsync("categories/changes");
        using var second = await shop.Http.GetAsync(
            "categories/changes", "If-None-Match", first.Headers.ETag!.ToString());
        second.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        using var orders = await shop.Http.GetAsync("orders/changes");
        orders.Headers.CacheControl!.ToString().ShouldBe("no-store, private");
    }

    [Theory]
    [InlineData("after=abc", "after")]
    [InlineData("after=", "after")]
    [InlineData("pageSize=0", "pageSize")]
    [InlineData("pageSize=1e2", "pageSize")]
    [InlineData("limit=5", "limit")]
    [InlineData("modifiedAfter=2026-01-01", "modifiedAfter")]
    public async Task A_parameter_that_is_unknown_or_malformed_is_rejected_by_name(string query, string named)
    {
        using var answer = await shop.Http.GetAsync($"products/changes?{query}");
        var problem = await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
        problem.Named().ShouldBe([named]);
    }

    [Theory]
    [InlineData("products/cursor?pageSize=2")]
    [InlineData("categories/changes?pageSize=2")]
    public async Task A_cursor_of_a_list_or_of_another_resource_is_refused(string other)
    {
        var cursor = (await shop.Http.JsonAsync(other)).GetProperty("nextCursor").GetString();
        using var answer = await shop.Http.GetAsync($"products/changes?after={cursor}");
        await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
    }

    private Task<JsonElement> ReadAsync(string resource, string? cursor = null, string others = "&pageSize=100") =>
        shop.Http.JsonAsync(
            $"{resource}/changes?{(cursor is null ? others.TrimStart('&') : $"after={cursor}{others}")}");
}
