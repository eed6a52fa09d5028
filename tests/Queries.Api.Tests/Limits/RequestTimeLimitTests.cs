using System.Net;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Limits;

public sealed class RequestTimeLimitTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Fact]
    public async Task A_request_that_takes_too_long_is_cancelled_and_a_stream_is_not()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Limits:RequestSeconds", "0.5")
            .With("Reading:StatementSeconds", 60).With("Reading:SearchSeconds", 30);
        using var http = app.CreateClient();
        await using var locked = await shop.LockAsync("read.products");

        var stream = http.GetAsync("products/stream");
        string[] paths = ["products/1", "products/v2", "products?q=chair", "products/cursor?minPrice=1&sort=name"];
        foreach (var path in paths)
        {
            using var answer = await http.GetAsync(path);
            await answer.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "request.timeout");
            answer.Headers.RetryAfter!.Delta.ShouldNotBeNull();
            answer.Headers.Contains("RateLimit").ShouldBeTrue();
        }

        stream.IsCompleted.ShouldBeFalse();
        await locked.DisposeAsync();
        using var streamed = await stream;
        streamed.StatusCode.ShouldBe(HttpStatusCode.OK);
        await Eventually.Holds(
            async () => (await http.GetAsync("products/1")).IsSuccessStatusCode, "the next request is answered");
    }
}
