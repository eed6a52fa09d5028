using System.Net;
using System.Xml.Linq;
using ApexShop.Resources;

namespace ApexShop.Queries.Api.Tests.Storefront;

public sealed class ProductPictureTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Fact]
    public async Task Every_number_has_its_own_picture_and_the_same_each_time()
    {
        var pictures = new HashSet<string>();
        foreach (var number in Enumerable.Range(1, SamplePictures.Count))
        {
            var picture = await shop.Http.GetStringAsync($"images/product-{number}.svg");
            XElement.Parse(picture).Name.ShouldBe(XName.Get("svg", "http://www.w3.org/2000/svg"));
            pictures.Add(picture).ShouldBeTrue();
        }

        pictures.ShouldContain(await shop.Http.GetStringAsync("images/product-1.svg"));
    }

    [Fact]
    public async Task A_picture_is_kept_for_a_year_and_can_run_nothing()
    {
        using var answer = await shop.Http.GetAsync("images/product-7.svg");
        using var head = await shop.Http.SendAsync(new HttpRequestMessage(HttpMethod.Head, "images/product-7.svg"));

        answer.Content.Headers.ContentType!.ToString().ShouldBe("image/svg+xml");
        foreach (var (name, value) in new Dictionary<string, string>
        {
            ["Cache-Control"] = "public, max-age=31536000, immutable",
            ["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'",
            ["X-Content-Type-Options"] = "nosniff",
            ["Referrer-Policy"] = "no-referrer",
            ["Cross-Origin-Resource-Policy"] = "cross-origin",
        })
            answer.Headers.NonValidated[name].ToString().ShouldBe(value);
        head.Content.Headers.ContentLength.ShouldBe(answer.Content.Headers.ContentLength);
    }

    [Theory]
    [InlineData("product-0.svg")]
    [InlineData("product-401.svg")]
    [InlineData("product-07.svg")]
    [InlineData("product--7.svg")]
    [InlineData("product-7.png")]
    [InlineData("product-%3Cscript%3E.svg")]
    [InlineData("product-99999999999999999999.svg")]
    [InlineData("")]
    public async Task Another_name_is_a_path_that_does_not_exist(string name)
    {
        using var answer = await shop.Http.GetAsync($"images/{name}");

        await answer.ShouldBeProblemAsync(HttpStatusCode.NotFound, "path.unknown");
        answer.Headers.CacheControl!.ToString().ShouldBe("no-store");
    }
}
