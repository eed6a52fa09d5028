using System.Text.Json;
using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Commands.Api.Tests.Concurrency;
using ApexShop.TestKit.HttpFiles;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Commands.Api.Tests.OpenApi;

/// <summary>What the document says of refusals that an Idempotency-Key changes.</summary>
public sealed class IdempotencyDescriptionTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private sealed record Received(int Status, bool IsReplayed, TimeSpan? RetryAfter);

    [Fact]
    public async Task Every_stored_refusal_responds_again_as_described()
    {
        var (product, user) = (await app.ProductAsync(stock: 1), await app.UserAsync());
        var path = $"/products/{product}";
        (int Status, FilledRequest Request)[] refused =
        [
            (404, Keyed("PATCH", "/products/2147483647", """{"name":"Lamp"}""")),
            (409, Keyed("POST", "/orders", OrderBody(user, product, 2))),
            (412, Keyed("PATCH", path, """{"name":"Lamp"}""").With("If-Match", "\"999\"")),
            (428, Keyed("PATCH", path, """{"stock":5}""")),
        ];
        var check = new ResponseCheck(await ApiDescription.ReadAsync(app.Http));

        foreach (var (status, request) in refused)
        {
            (await SendAsync(check, request)).ShouldBe(new Received(status, false, null));
            (await SendAsync(check, request)).ShouldBe(new Received(status, true, null));
        }

        check.Wrong.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_refusal_for_want_of_a_right_is_not_stored_as_described()
    {
        var request = await OfInactiveCustomerAsync(await app.ProductAsync());
        var check = new ResponseCheck(await ApiDescription.ReadAsync(app.Http));

        for (var attempt = 0; attempt < 2; attempt++)
            (await SendAsync(check, request)).ShouldBe(new Received(403, false, null));

        check.Wrong.ShouldBeEmpty();
        check.Description.Operations.Single(one => one.Id == "CreateOrder").Response(403)!["headers"]?
            [IdempotencyHeader.Replayed].ShouldBeNull();
    }

    [Fact]
    public async Task The_refusal_while_the_first_request_runs_responds_as_described_and_has_the_time_to_wait()
    {
        var product = await app.ProductAsync();
        var request = Keyed("PATCH", $"/products/{product}/stock", """{"delta":1}""");
        var check = new ResponseCheck(await ApiDescription.ReadAsync(app.Http));
        Task<Received> first;
        await using (var held = await HeldRow.LockAsync(app, "products", product))
        {
            first = SendAsync(check, request);
            await held.WaitedForByAsync(1);

            (await SendAsync(check, request)).ShouldBe(new Received(409, false, TimeSpan.FromSeconds(1)));
        }

        (await first).Status.ShouldBe(200);
        check.Wrong.ShouldBeEmpty();
        var conflict = check.Description.Operations.Single(one => one.Id == "SetStock").Response(409)!;
        // Other conflicts do not have it.
        check.Description.Resolve(conflict["headers"]!["Retry-After"]!).ContainsKey("required").ShouldBeFalse();
    }

    private static string OrderBody(int user, int product, int quantity) =>
        JsonSerializer.Serialize(ShopBuilder.OrderBody(user, (product, quantity)), JsonSerializerOptions.Web);

    private static FilledRequest Keyed(string method, string path, string body) => new(
        method, path,
        [
            ("Authorization", $"Bearer {CommandsApp.Key}"), ("Content-Type", "application/json"),
            (IdempotencyHeader.Name, Guid.NewGuid().ToString()),
        ],
        body);

    private async Task<FilledRequest> OfInactiveCustomerAsync(int product)
    {
        var user = await app.UserAsync();
        using var customer = await app.CustomerAsync(user);
        await app.ScalarAsync<object>($"UPDATE shop.users SET is_active = false WHERE id = {user}");
        return Keyed("POST", "/orders", OrderBody(user, product, 1))
            .With("Authorization", customer.DefaultRequestHeaders.Authorization!.ToString());
    }

    private async Task<Received> SendAsync(ResponseCheck check, FilledRequest request)
    {
        using var http = app.ClientWith(null);
        using var message = request.ToMessage();
        using var response = await http.SendAsync(message);
        await check.CheckAsync(request, response, await response.Content.ReadAsStringAsync());
        return new Received(
            (int)response.StatusCode, response.Headers.Contains(IdempotencyHeader.Replayed),
            response.Headers.RetryAfter?.Delta);
    }
}
