using System.Net;
using System.Text.Json.Nodes;
using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests.Operations.Parking;

/// <summary>An event is as protected as the document, also when it was not applied.</summary>
public sealed class ParkingScopesTests(ReadStore store) : QueueTest(store)
{
    [Theory]
    [InlineData("users", "users:read")]
    [InlineData("orders", "orders:read")]
    [InlineData("products", null)]
    public async Task A_parked_event_needs_the_read_scope_of_its_resource(string resource, string? missing)
    {
        var data = """{"email":"ann@example.com"}"""u8.ToArray();
        await Projector.ApplyAsync(History.Add(resource, $"apexshop.{resource}.updated", 7, data, 1));
        await using var projector = await StartAsync();

        var (status, body) = await ReadAsync(projector, TestKeys.Admin, $"parked/{resource}/7");
        var (statusOfAll, bodyOfAll) = await ReadAsync(projector, TestKeys.Everything, $"parked/{resource}/7");

        ShouldBe(status, body, missing is null ? [] : [missing]);
        statusOfAll.ShouldBe(HttpStatusCode.OK);
        bodyOfAll.ShouldContain("ann@example.com");
    }

    [Fact]
    public async Task The_body_of_a_dead_letter_needs_all_read_scopes_and_a_list_is_without_excerpts()
    {
        await Projector.Letters.SaveAsync("ann@example.com"u8.ToArray(), null, "no", CancellationToken.None);
        await using var projector = await StartAsync();
        var list = await ReadAsync(projector, TestKeys.Everything, "dead-letters");
        var id = JsonNode.Parse(list.Body)!["items"]![0]!["id"]!.GetValue<int>();

        var closed = await ReadAsync(projector, TestKeys.Admin, $"dead-letters/{id}");
        var open = await ReadAsync(projector, TestKeys.Everything, $"dead-letters/{id}");
        var listOfAdmin = await ReadAsync(projector, TestKeys.Admin, "dead-letters");

        ShouldBe(closed.Status, closed.Body, "orders:read", "users:read");
        open.Body.ShouldContain("ann@example.com");
        list.Body.ShouldContain("ann@example.com");
        listOfAdmin.Status.ShouldBe(HttpStatusCode.OK);
        listOfAdmin.Body.ShouldNotContain("ann@example.com");
        JsonNode.Parse(listOfAdmin.Body)!["items"]![0]!["bytes"]!.GetValue<int>().ShouldBe(15);
    }

    private static void ShouldBe(HttpStatusCode status, string body, params string[] missing)
    {
        status.ShouldBe(missing is [] ? HttpStatusCode.OK : HttpStatusCode.Forbidden, body);
        if (missing is []) return;
        var problem = JsonNode.Parse(body)!;
        ((string?)problem["code"]).ShouldBe("access.scope_missing");
        problem["missingScopes"]!.AsArray().Select(scope => (string)scope!).Order().ShouldBe(missing);
        foreach (var scope in missing) ((string?)problem["detail"])!.ShouldContain(scope);
        body.ShouldNotContain("ann@example.com");
    }

    private static async Task<(HttpStatusCode Status, string Body)> ReadAsync(
        RunningProjector projector, string key, string path)
    {
        using var http = new HttpClient { DefaultRequestHeaders = { Authorization = new("Bearer", key) } };
        using var answer = await http.GetAsync(new Uri(projector.Address, $"/admin/{path}"));
        return (answer.StatusCode, await answer.Content.ReadAsStringAsync());
    }
}
