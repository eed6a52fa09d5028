using System.Net;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class ListDocumentsAfterTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory, ClassData(typeof(EveryResource))]
    public async Task Following_the_cursor_reads_every_living_document_once_in_order(string resource)
    {
        var seen = new List<int>();
        string? cursor = null;
        do
        {
            var page = await shop.Http.JsonAsync(
                $"{resource}/cursor?pageSize=10" + (cursor is null ? "" : $"&after={cursor}"));
            seen.AddRange(Documents.Ids(page.GetProperty("data")));
            cursor = page.GetProperty("nextCursor").GetString();
            page.GetProperty("hasMore").GetBoolean().ShouldBe(cursor is not null);
            page.GetProperty("pageSize").GetInt32().ShouldBe(10);
        }
        while (cursor is not null);

        seen.ShouldBe(FewOfEach.Living);
    }

    [Fact]
    public async Task A_page_that_ends_with_the_last_document_has_no_next_page()
    {
        var page = await shop.Http.JsonAsync($"products/cursor?pageSize={FewOfEach.Living.Count}");
        Documents.Ids(page.GetProperty("data")).ShouldBe(FewOfEach.Living);
        page.GetProperty("hasMore").GetBoolean().ShouldBeFalse();
        page.GetProperty("nextCursor").GetString().ShouldBeNull();
    }

    [Fact]
    public async Task An_id_can_replace_a_cursor_even_a_deleted_one()
    {
        var page = await shop.Http.JsonAsync($"products/cursor?afterId={FewOfEach.Deleted[0]}&pageSize=3");
        Documents.Ids(page.GetProperty("data")).ShouldBe([6, 7, 8]);
    }

    [Fact]
    public async Task After_the_last_id_there_is_nothing()
    {
        var page = await shop.Http.JsonAsync("products/cursor?afterId=30");
        page.GetRawText().ShouldBe("""{"data":[],"pageSize":20,"hasMore":false,"nextCursor":null,"prevCursor":null}""");
    }

    [Fact]
    public async Task A_cursor_from_before_a_rebuild_is_410()
    {
        var cursor = (await shop.Http.JsonAsync("products/cursor?pageSize=2")).GetProperty("nextCursor").GetString();
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = 2");
        using var answer = await shop.Http.GetAsync($"products/cursor?after={cursor}");
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = 1");

        await answer.ShouldBeProblemAsync(HttpStatusCode.Gone, "cursor.expired");
    }

    [Theory]
    [InlineData("after=abc", "after")]
    [InlineData("after=%2B%2F%3D", "after")]
    [InlineData("after=AgAAAAAAAAABAAAAAnByb2R1Y3Rz", "after")]
    [InlineData("after=", "after")]
    [InlineData("afterId=x", "afterId")]
    [InlineData("afterId=-1", "afterId")]
    [InlineData("after=AQAAAAAAAAABAAAAAnByb2R1Y3Rz&afterId=2", "after")]
    [InlineData("before=abc", "before")]
    [InlineData("sort=price&afterId=5", "afterId")]
    [InlineData("sort=price&afterId=31", "afterId")]
    [InlineData("page=2", "page")]
    [InlineData("pageSize=0", "pageSize")]
    public async Task A_parameter_that_is_unknown_or_malformed_is_rejected_by_name(string query, string named)
    {
        using var answer = await shop.Http.GetAsync($"products/cursor?{query}");
        var problem = await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
        problem.Named().ShouldBe(named.Split(','));
    }

    [Fact]
    public async Task A_cursor_continues_only_its_own_list()
    {
        var cursor = (await shop.Http.JsonAsync("products/cursor?pageSize=2")).GetProperty("nextCursor").GetString();
        using var answer = await shop.Http.GetAsync($"reviews/cursor?after={cursor}");
        await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
    }
}
