using System.Net;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class GetDocumentTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory, ClassData(typeof(EveryResource))]
    public async Task Sends_the_stored_bytes_and_their_ETag(string resource)
    {
        using var answer = await shop.Http.GetAsync($"{resource}/7");

        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        (await answer.Content.ReadAsByteArrayAsync()).ShouldBe(Documents.Body(resource, 7));
        answer.Content.Headers.ContentType!.ToString().ShouldBe("application/json");
        answer.Headers.ETag!.ToString().ShouldBe("\"1.1.7\"");
    }

    [Theory, ClassData(typeof(EveryResource))]
    public async Task A_deleted_id_and_one_that_never_existed_are_404(string resource)
    {
        foreach (var id in (int[])[FewOfEach.Deleted[0], 31, 0, int.MaxValue])
        {
            using var answer = await shop.Http.GetAsync($"{resource}/{id}");
            await answer.ShouldBeProblemAsync(HttpStatusCode.NotFound, "document.not_found");
        }
    }

    [Theory]
    [InlineData("products/abc")]
    [InlineData("products/1.5")]
    [InlineData("products/2147483648")]
    [InlineData("products/7/more")]
    [InlineData("carts/1")]
    public async Task An_id_that_is_no_integer_is_a_path_that_does_not_exist(string path)
    {
        using var answer = await shop.Http.GetAsync(path);
        await answer.ShouldBeProblemAsync(HttpStatusCode.NotFound, "path.unknown");
    }

    [Theory]
    [InlineData("\"1.1.7\"")]
    [InlineData("W/\"1.1.7\"")]
    [InlineData("\"other\", \"1.1.7\"")]
    [InlineData("*")]
    public async Task Sends_304_to_a_client_that_has_this_state(string known)
    {
        using var answer = await shop.Http.GetAsync("products/7", "If-None-Match", known);

        answer.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        answer.Headers.ETag!.ToString().ShouldBe("\"1.1.7\"");
        answer.Headers.CacheControl!.ToString().ShouldBe("no-cache");
        (await answer.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("\"1.1.8\"")]
    [InlineData("1.1.7")]
    [InlineData("nonsense")]
    [InlineData("nonsense, \"1.1.7\"")]
    public async Task Sends_the_document_to_a_client_that_has_another_state(string known)
    {
        using var answer = await shop.Http.GetAsync("products/7", "If-None-Match", known);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task The_state_changes_with_a_denormalised_value_and_with_the_epoch()
    {
        await shop.ExecuteAsync("UPDATE read.categories SET revision = 900 WHERE id = 3");
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = 4");
        using var answer = await shop.Http.GetAsync("categories/3");
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = 1");

        answer.Headers.ETag!.ToString().ShouldBe("\"1.4.900\"");
    }

    [Fact]
    public async Task Sends_a_document_that_is_larger_than_any_buffer()
    {
        var body = System.Text.Encoding.UTF8.GetBytes($"{{\"id\":1000,\"name\":\"{new string('x', 300_000)}\"}}");
        await shop.PutAsync("reviews", [1000], _ => body);

        (await shop.Http.GetByteArrayAsync("reviews/1000")).ShouldBe(body);
    }
}
