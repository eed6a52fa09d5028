using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.Commands.Api.Tests.Concurrency;

namespace ApexShop.Commands.Api.Tests.Commands;

/// <summary>PATCH changes the members it names, under the rules of PUT.</summary>
public sealed class MergePatchTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    public static TheoryData<string, string, string, string> Changes => new()
    {
        { "categories", "description", "\"Bulbs\"", "category.updated" },
        { "products", "price", "99.95", "product.updated" },
        { "users", "lastName", "\"Byron\"", "user.updated" },
        { "users", "isActive", "false", "user.deactivated" },
        { "orders", "status", "\"Processing\"", "order.status-changed" },
        { "orders", "trackingNumber", "\"T-1\"", "order.updated" },
        { "reviews", "rating", "2", "review.updated" },
    };

    public static TheoryData<string, string, string> Invalid => new()
    {
        { "categories", """{"name":null}""", "name" },
        { "categories", """{"isActive":null}""", "isActive" },
        { "products", """{"price":1.999}""", "price" },
        { "products", """{"price":"1"}""", "price" },
        { "products", """{"stock":-1}""", "stock" },
        { "products", """{"id":7}""", "id" },
        { "products", """{"name":{"first":"x"}}""", "name" },
        { "users", """{"email":"no address"}""", "email" },
        { "users", """{"password":"short"}""", "password" },
        { "orders", """{"status":"Lost"}""", "status" },
        { "orders", """{"userId":1}""", "userId" },
        { "reviews", """{"rating":6}""", "rating" },
    };

    [Theory]
    [MemberData(nameof(Changes))]
    public async Task Changes_the_members_that_it_names_and_no_other(
        string resource, string member, string value, string type)
    {
        var (id, _) = await app.AnyAsync(resource);
        var before = JsonNode.Parse((await app.OutboxAsync(resource, id))[^1].Data)!.AsObject();

        (await PatchAsync(resource, id, $$"""{"{{member}}":{{value}}}""")).ShouldBeReplaced(id, 2);

        var state = await app.ShouldHaveSaidAsync(resource, id, $"apexshop.{type}", 2);
        state.GetProperty(member).GetRawText().ShouldBe(value);
        string[] others = [member, "version", "updatedDate", "statusHistory"];
        foreach (var (name, old) in before.Where(one => !others.Contains(one.Key)))
            JsonNode.DeepEquals(JsonNode.Parse(state.GetProperty(name).GetRawText()), old).ShouldBeTrue(name);
    }

    [Theory]
    [MemberData(nameof(LockedComparisonTests.Resources), MemberType = typeof(LockedComparisonTests))]
    public async Task A_patch_that_changes_nothing_has_no_event(string resource)
    {
        var (id, _) = await app.AnyAsync(resource);
        (await PatchAsync(resource, id, "{}")).ShouldBeReplaced(id, 1);
        (await app.OutboxAsync(resource, id)).ShouldHaveSingleItem();
    }

    [Fact]
    public async Task Null_removes_an_optional_value()
    {
        var id = await app.ReviewAsync(await app.ProductAsync(), await app.UserAsync());
        (await PatchAsync("reviews", id, """{"comment":null}""")).ShouldBeReplaced(id, 2);
        (await app.ShouldHaveSaidAsync("reviews", id, "apexshop.review.updated", 2)).GetProperty("comment").ValueKind
            .ShouldBe(JsonValueKind.Null);
    }

    [Theory]
    [MemberData(nameof(Invalid))]
    public async Task What_would_not_be_valid_in_a_PUT_is_refused_and_named(
        string resource, string patch, string member)
    {
        var (id, _) = await app.AnyAsync(resource);
        var answer = await PatchAsync(resource, id, patch);
        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").TryGetProperty(member, out _).ShouldBeTrue(answer.Text);
        (await app.VersionAsync(resource, id)).ShouldBe(1);
    }

    [Theory]
    [InlineData("[]", "application/merge-patch+json", HttpStatusCode.BadRequest)]
    [InlineData("{\"name\":\"a\",\"name\":\"b\"}", "application/merge-patch+json", HttpStatusCode.BadRequest)]
    [InlineData("null", "application/json", HttpStatusCode.BadRequest)]
    [InlineData("{\"name\":\"a\",\"Name\":\"b\"}", "application/json", HttpStatusCode.BadRequest)]
    [InlineData("{}", "text/plain", HttpStatusCode.UnsupportedMediaType)]
    public async Task Another_body_is_refused(string body, string mediaType, HttpStatusCode status) =>
        (await PatchAsync("categories", await app.CategoryAsync(), body, mediaType: mediaType)).Status.ShouldBe(status);

    [Theory]
    [MemberData(nameof(LockedComparisonTests.Resources), MemberType = typeof(LockedComparisonTests))]
    public async Task An_unknown_id_is_404_and_another_version_412(string resource)
    {
        (await PatchAsync(resource, int.MaxValue, "{}")).Status.ShouldBe(HttpStatusCode.NotFound);
        var (id, _) = await app.AnyAsync(resource);
        (await PatchAsync(resource, id, "{}", "\"2\""))
            .ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
    }

    [Theory]
    [InlineData("products", """{"name":"Desk","price":5.25,"description":"Oak","isFeatured":true}""")]
    [InlineData("users", """{"firstName":"Augusta","lastName":"King","phoneNumber":"+44 20 7946 0000"}""")]
    public async Task Of_patches_that_wait_for_the_row_none_is_lost(string resource, string members)
    {
        var (id, _) = await app.AnyAsync(resource);
        var patches = JsonDocument.Parse(members).RootElement.EnumerateObject().ToList();
        await using var held = await HeldRow.LockAsync(app, resource, id);
        var waiting = patches.Select(patch => PatchAsync(resource, id, $"{{{patch}}}")).ToList();
        await held.WaitedForByAsync(patches.Count);
        await held.CommitAsync();
        foreach (var answer in await Task.WhenAll(waiting)) answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);

        var type = $"apexshop.{resource[..^1]}.updated";
        var state = await app.ShouldHaveSaidAsync(resource, id, type, 1 + patches.Count);
        foreach (var patch in patches)
            JsonElement.DeepEquals(state.GetProperty(patch.Name), patch.Value).ShouldBeTrue(patch.Name);
    }

    [Theory]
    [InlineData("\"a\u00C0\u00AF\"")]
    [InlineData("\"\\ud800\"")]
    public async Task A_text_that_is_no_UTF_8_is_refused_as_in_a_PUT_also_with_a_key(string value)
    {
        var id = await app.CategoryAsync();
        using var request = new HttpRequestMessage(HttpMethod.Patch, $"/categories/{id}");
        // Latin-1, so that each character is one byte.
        request.Content = new ByteArrayContent(Encoding.Latin1.GetBytes($"{{\"name\":{value}}}"));
        request.Content.Headers.Add("Content-Type", "application/merge-patch+json");
        request.Headers.Add("Idempotency-Key", $"{Guid.NewGuid()}");
        using var response = await app.Http.SendAsync(request);
        response.StatusCode.ShouldBe(HttpStatusCode.BadRequest);
        (await app.VersionAsync("categories", id)).ShouldBe(1);
    }

    [Fact]
    public async Task A_stock_needs_the_version_and_any_other_member_keeps_the_stock()
    {
        var id = await app.ProductAsync(stock: 10);
        (await PatchAsync("products", id, """{"stock":7}"""))
            .ShouldBeProblem(HttpStatusCode.PreconditionRequired, "stock.version_required");
        await app.OrderAsync((id, 3));
        (await PatchAsync("products", id, """{"name":"Desk"}""")).Status.ShouldBe(HttpStatusCode.OK);
        (await app.StockAsync(id)).ShouldBe(7);

        var version = await app.VersionAsync("products", id);
        (await PatchAsync("products", id, """{"stock":5}""", $"\"{version}\"")).ShouldBeReplaced(id, version + 1);
        (await app.StockAsync(id)).ShouldBe(5);
    }

    [Fact]
    public async Task An_order_takes_only_the_steps_that_a_replacement_may_take()
    {
        var id = await app.OrderAsync((await app.ProductAsync(), 1));
        (await PatchAsync("orders", id, """{"status":"Delivered"}"""))
            .ShouldBeProblem(HttpStatusCode.Conflict, "order.status_refused");
        await app.MoveOrderAsync(id, "Processing", "Shipped", "Delivered");
        (await PatchAsync("orders", id, """{"trackingNumber":"T"}"""))
            .ShouldBeProblem(HttpStatusCode.Conflict, "order.closed");
    }

    [Fact]
    public async Task A_password_is_changed_only_when_it_is_in_the_patch()
    {
        var id = await app.UserAsync();
        (await PatchAsync("users", id, """{"firstName":"Augusta"}""")).ShouldBeReplaced(id, 2);
        using (await app.CustomerAsync(id))
        {
        }

        var version = await app.VersionAsync("users", id);
        (await PatchAsync("users", id, """{"password":"wrong donkey"}""")).ShouldBeReplaced(id, version + 1);
        var email = await app.ScalarAsync<string>($"SELECT email FROM shop.users WHERE id = {id}");
        (await app.PostAsync("/sessions", new { email, password = "correct horse" }))
            .Status.ShouldBe(HttpStatusCode.Unauthorized);
        (await app.PostAsync("/sessions", new { email, password = "wrong donkey" })).Status.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_repeated_key_gets_the_first_response_though_the_row_has_changed()
    {
        var (key, id) = ($"{Guid.NewGuid()}", await app.CategoryAsync());
        Task<KeyedResponse> SendAsync(string name) =>
            app.Http.SendKeyedAsync(key, HttpMethod.Patch, $"/categories/{id}", new { name });
        var first = await SendAsync("Lamps");
        first.Answer.ShouldBeReplaced(id, 2);
        (await PatchAsync("categories", id, """{"name":"Bulbs"}""")).ShouldBeReplaced(id, 3);

        (await SendAsync("Lamps")).ShouldRepeat(first);
        (await SendAsync("Torches")).Answer
            .ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");
        (await app.VersionAsync("categories", id)).ShouldBe(3);
    }

    private async Task<Answer> PatchAsync(
        string resource, int id, string patch, string? ifMatch = null,
        string mediaType = "application/merge-patch+json")
    {
        using var request = new HttpRequestMessage(HttpMethod.Patch, $"/{resource}/{id}");
        request.Content = new StringContent(patch, Encoding.UTF8, mediaType);
        if (ifMatch is not null) request.Headers.TryAddWithoutValidation("If-Match", ifMatch);
        using var response = await app.Http.SendAsync(request);
        return await Answer.ReadAsync(response);
    }
}
