using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.TestKit;
using Shouldly;
using Xunit;

namespace ApexShop.EndToEnd.Tests;

public class ProjectorClientTests
{
    [Fact]
    public async Task Requests_about_the_documents_are_forwarded_to_the_Projector_and_give_503_without_it()
    {
        await using var shop = await Shop.StartAsync();
        using var category =
            await shop.Commands.Http.PostAsJsonAsync("/categories", new { name = "Desks", description = "Wood" });
        category.StatusCode.ShouldBe(HttpStatusCode.Created);

        await Eventually.Holds(
            async () =>
            {
                using var response = await shop.Commands.Http.GetAsync("/admin/projection");
                response.StatusCode.ShouldBe(HttpStatusCode.OK);
                var status = await response.Content.ReadFromJsonAsync<JsonElement>();
                return status.GetProperty("positions").GetProperty("categories").GetInt64() == 1;
            },
            "the position shows the event");

        using var stranger = new HttpClient { BaseAddress = shop.Projector.Url };
        using var refused = await stranger.GetAsync("/admin/projection");
        refused.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        (await refused.Content.ReadFromJsonAsync<JsonElement>())
            .GetProperty("code")
            .GetString()
            .ShouldBe("access.key_required");

        await shop.Projector.KillAsync();
        using var unavailable = await shop.Commands.Http.GetAsync("/admin/projection");
        unavailable.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        (await unavailable.Content.ReadFromJsonAsync<JsonElement>())
            .GetProperty("code")
            .GetString()
            .ShouldBe("projector.unavailable");
    }
}
