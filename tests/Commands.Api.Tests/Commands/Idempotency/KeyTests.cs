using System.Net;
using System.Text;
using System.Text.Json;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Users;

namespace ApexShop.Commands.Api.Tests.Commands.Idempotency;

public sealed class KeyTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    public static TheoryData<string[]> Invalid =>
        [[""], ["with blank"], ["caf\u00E9"], ["a\tb"], [new string('k', 256)], ["one", "two"], ["one", "one"]];

    [Theory]
    [MemberData(nameof(Invalid))]
    public async Task A_key_that_is_none_is_refused(string[] keys)
    {
        var before = await app.CountAsync("categories");

        var answer = await SendAsync(HttpMethod.Post, "/categories", """{"name":"x"}""", keys);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "idempotency.key_invalid");
        (await app.CountAsync("categories")).ShouldBe(before);
    }

    [Fact]
    public async Task Any_visible_characters_up_to_255_are_a_key()
    {
        var visible = string.Concat(Enumerable.Range('!', '~' - '!' + 1).Select(character => (char)character));
        foreach (var key in new[] { "k", new string('k', 255), visible })
        {
            var first = await app.PostKeyedAsync(key, "/categories", new { name = "x" });
            first.Answer.ShouldBeCreated("categories");
            (await app.PostKeyedAsync(key, "/categories", new { name = "x" })).ShouldRepeat(first);
        }
    }

    [Fact]
    public async Task Keys_are_case_sensitive()
    {
        var first = await app.PostKeyedAsync("key", "/categories", new { name = "x" });

        (await app.PostKeyedAsync("Key", "/categories", new { name = "x" })).Answer.Id.ShouldNotBe(first.Answer.Id);
    }

    [Fact]
    public async Task A_caller_without_the_scope_gets_no_stored_response()
    {
        var body = new { name = "x" };
        (await app.PostKeyedAsync("guarded", "/categories", body)).Answer.ShouldBeCreated("categories");
        using var anonymous = app.ClientWith(null);
        using var reader = app.ClientWith(ApexShop.Access.Scopes.OrdersRead);

        (await anonymous.SendKeyedAsync("guarded", HttpMethod.Post, "/categories", body))
            .Answer.Status.ShouldBe(HttpStatusCode.Unauthorized);
        (await reader.SendKeyedAsync("guarded", HttpMethod.Post, "/categories", body))
            .Answer.Status.ShouldBe(HttpStatusCode.Forbidden);
    }

    [Fact]
    public async Task On_verbs_that_may_be_repeated_a_key_is_ignored()
    {
        var id = await app.CategoryAsync();
        var before = await app.CountAsync("idempotency_keys");

        (await SendAsync(HttpMethod.Put, $"/categories/{id}", """{"name":"x"}""", ["same"])).ShouldBeReplaced(id, 2);
        (await SendAsync(HttpMethod.Put, $"/categories/{id}", """{"name":"y"}""", ["same"])).ShouldBeReplaced(id, 3);
        (await SendAsync(HttpMethod.Put, $"/categories/{id}", """{"name":"z"}""", ["two", "not a key"]))
            .ShouldBeReplaced(id, 4);
        (await SendAsync(HttpMethod.Delete, $"/categories/{id}", null, ["same"]))
            .Status.ShouldBe(HttpStatusCode.NoContent);

        (await app.CountAsync("idempotency_keys")).ShouldBe(before);
    }

    [Fact]
    public void The_hash_of_a_request_reveals_nothing_without_the_key()
    {
        var command = new CreateUser.Command(new UserInput.Body("a@b.example", "A", "B", Password: "correct horse"));

        Hash("caller", "one").ShouldBe(Hash("caller", "one"));
        Hash("caller", "one").ShouldNotBe(Hash("caller", "two"));

        byte[] Hash(string caller, string given)
        {
            var key = new IdempotencyKey();
            key.Set(caller, given);
            return key.HashOf(command, JsonSerializerOptions.Web);
        }
    }

    [Fact]
    public void Every_member_of_a_command_counts()
    {
        var key = new IdempotencyKey();
        key.Set("caller", "key");
        var body = new UserInput.Body("a@b.example", "A", "B", "+49 30 1", "correct horse");
        UserInput.Body[] others =
        [
            body, body with { Email = "b@b.example" }, body with { FirstName = "B" }, body with { LastName = "A" },
            body with { PhoneNumber = null }, body with { Password = "wrong horse" }, body with { IsActive = false },
        ];

        others.Select(
            other => Convert.ToHexString(key.HashOf(new CreateUser.Command(other), JsonSerializerOptions.Web)))
            .Distinct().Count().ShouldBe(others.Length);
    }

    [Fact]
    public void Two_commands_with_the_same_content_are_two_requests()
    {
        var key = new IdempotencyKey();
        key.Set("caller", "key");

        var products = key.HashOf(new BulkDeleteProducts.Command([1]), JsonSerializerOptions.Web);
        key.HashOf(new BulkDeleteCategories.Command([1]), JsonSerializerOptions.Web).ShouldNotBe(products);
    }

    private async Task<Answer> SendAsync(HttpMethod method, string path, string? body, string[] keys)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is not null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        foreach (var key in keys) request.Headers.TryAddWithoutValidation(IdempotencyHeader.Name, key);
        request.Headers.Authorization = app.Http.DefaultRequestHeaders.Authorization;
        // Clients are polite and refuse to send what is no ASCII, unless they are configured to.
        using var client =
            new HttpClient(new SocketsHttpHandler { RequestHeaderEncodingSelector = (_, _) => Encoding.UTF8 });
        client.BaseAddress = app.Http.BaseAddress;
        using var response = await client.SendAsync(request);
        return await Answer.ReadAsync(response);
    }
}
