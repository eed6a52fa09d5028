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
    public async Task What_is_asked_about_the_documents_is_answered_by_the_projector_and_503_without_it()
    {
        await using var shop = await Shop.StartAsync();
        using var category = await shop.Commands.Http.PostAsJsonAsync("/categories", new { name = "Desks", description = "Wood" });
        category.StatusCode.ShouldBe(HttpStatusCode.Created);

        await Eventually.Holds(
            async () =>
            {
                using var answer = await shop.Commands.Http.GetAsync("/admin/projection");
                answer.StatusCode.ShouldBe(HttpStatusCode.OK);
                var status = await answer.Content.ReadFromJsonAsync<JsonElement>();
                return status.GetProperty("positions").GetProperty("categories").GetInt64() == 1;
            },
            "the position shows the event");

        using var stranger = new HttpClient { BaseAddress = shop.Projector.Url };
        using var refused = await stranger.GetAsync("/admin/projection");
        refused.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        (await refused.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("code").GetString().ShouldBe("access.key_required");

        await shop.Projector.KillAsync();
        using var unavailable = await shop.Commands.Http.GetAsync("/admin/projection");
        unavailable.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        (await unavailable.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("code").GetString().ShouldBe("projector.unavailable");
    }
}
