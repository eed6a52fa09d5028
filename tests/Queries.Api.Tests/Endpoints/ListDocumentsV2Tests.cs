using System.Net;
using System.Text;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class ListDocumentsV2Tests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory, ClassData(typeof(EveryResource))]
    public async Task Pages_contain_every_living_document_once_in_order(string resource)
    {
        var seen = new List<int>();
        for (var page = 1; page <= 4; page++)
        {
            var answer = await shop.Http.JsonAsync($"{resource}/v2?page={page}&pageSize=8");
            seen.AddRange(Documents.Ids(answer.GetProperty("data")));
            answer.GetProperty("page").GetInt32().ShouldBe(page);
            answer.GetProperty("pageSize").GetInt32().ShouldBe(8);
            answer.GetProperty("totalCount").GetInt32().ShouldBe(FewOfEach.Living.Count);
            answer.GetProperty("totalPages").GetInt32().ShouldBe(4);
            answer.GetProperty("hasPrevious").GetBoolean().ShouldBe(page > 1);
            answer.GetProperty("hasNext").GetBoolean().ShouldBe(page < 4);
        }

        seen.ShouldBe(FewOfEach.Living);
    }

    [Fact]
    public async Task Documents_in_a_page_are_the_stored_bytes()
    {
        var text = await shop.Http.GetStringAsync("orders/v2?pageSize=2&page=2");
        var documents = FewOfEach.Living.Skip(2).Take(2)
            .Select(id => Encoding.UTF8.GetString(Documents.Body("orders", id)));
        text.ShouldStartWith($"{{\"data\":[{string.Join(',', documents)}],\"page\":2,");
    }

    [Fact]
    public async Task A_page_has_twenty_documents_by_default_and_at_most_a_hundred()
    {
        (await shop.Http.JsonAsync("products/v2")).GetProperty("pageSize").GetInt32().ShouldBe(20);
        (await shop.Http.JsonAsync("products/v2?pageSize=101")).GetProperty("pageSize").GetInt32().ShouldBe(100);
        (await shop.Http.JsonAsync("products/v2?pageSize=99999999999")).GetProperty("pageSize").GetInt32()
            .ShouldBe(100);
    }

    [Fact]
    public async Task A_page_after_the_last_is_empty_and_has_no_next_page()
    {
        var answer = await shop.Http.JsonAsync("products/v2?page=2147483647&pageSize=100");
        answer.GetProperty("data").GetArrayLength().ShouldBe(0);
        answer.GetProperty("totalCount").GetInt32().ShouldBe(FewOfEach.Living.Count);
        answer.GetProperty("hasPrevious").GetBoolean().ShouldBeTrue();
        answer.GetProperty("hasNext").GetBoolean().ShouldBeFalse();
    }

    [Theory]
    [InlineData("page=0", "page")]
    [InlineData("page=-1", "page")]
    [InlineData("page=one", "page")]
    [InlineData("page=1.5", "page")]
    [InlineData("page=2147483648", "page")]
    [InlineData("page=", "page")]
    [InlineData("page=1&page=2", "page")]
    [InlineData("pageSize=0", "pageSize")]
    [InlineData("pageSize=-20", "pageSize")]
    [InlineData("pageSize=many", "pageSize")]
    [InlineData("colour=red", "colour")]
    [InlineData("after=x", "after")]
    [InlineData("page=0&pageSize=0&sort=colour", "sort,page,pageSize")]
    public async Task A_parameter_that_is_unknown_or_malformed_is_rejected_by_name(string query, string named)
    {
        using var answer = await shop.Http.GetAsync($"products/v2?{query}");
        var problem = await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
        problem.Named().ShouldBe(named.Split(','));
    }
}
