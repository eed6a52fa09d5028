using System.Net;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>Who may create a webhook, and what becomes of its secret.</summary>
public sealed class CreateWebhookTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task A_key_that_may_not_read_the_events_is_refused()
    {
        using var admin = shop.App.ClientWith("admin");
        using var body = WebhookShop.Json(new { url = "https://example.com/a" });

        using var response = await admin.PostAsync("/admin/webhooks", body);

        (await Answer.ReadAsync(response)).ShouldBeProblem(HttpStatusCode.Forbidden, "access.scope_missing");
        (await shop.App.ScalarAsync<long>("SELECT count(*) FROM shop.webhooks")).ShouldBe(0);
    }

    [Theory]
    [InlineData("""{"url":"https://example.com/a","types":["apexshop.product.sold"]}""", "types")]
    [InlineData(
        """{"url":"https://example.com/a","types":["apexshop.order.placed","apexshop.order.placed"]}""", "types")]
    [InlineData("""{"url":"https://example.com/a","types":[null]}""", "types")]
    [InlineData("""{"url":"https://example.com/a","description":"two\nlines"}""", "description")]
    [InlineData("""{"description":"without an address"}""", "url")]
    public async Task A_body_that_is_not_valid_is_refused_by_the_name_of_its_member(string body, string member)
    {
        var answer = await shop.App.PostAsync("/admin/webhooks", body);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Text.ShouldContain($"\"{member}");
    }

    [Fact]
    public async Task An_address_that_is_too_long_when_encoded_is_refused()
    {
        var answer = await shop.App.PostAsync(
            "/admin/webhooks", new { url = $"https://example.com/?{new string('^', 1_000)}" });

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Text.ShouldContain("\"url\"");
    }

    [Fact]
    public async Task A_discard_of_an_event_that_does_not_exist_leaves_the_pause()
    {
        var id = (await CreateAsync("https://example.com/paused")).GetProperty("id").GetInt32();
        await shop.App.ScalarAsync<object>("UPDATE shop.webhooks SET failures = 3, last_failure = 'Response 500.'");

        (await shop.App.DeleteAsync($"/admin/webhooks/{id}/undelivered/999999999"))
            .Status.ShouldBe(HttpStatusCode.NoContent);

        (await shop.App.ScalarAsync<int>("SELECT failures FROM shop.webhooks")).ShouldBe(3);
    }

    [Fact]
    public async Task A_key_that_may_not_read_the_events_of_a_webhook_does_not_decide_where_they_are_sent()
    {
        var created = await CreateAsync("https://example.com/orders", "apexshop.order.placed");
        var id = created.GetProperty("id").GetInt32();
        // Its types were changed while events of orders waited.
        await shop.App.ScalarAsync<object>(
            $"""
            UPDATE shop.webhooks SET types = ARRAY['apexshop.product.created'];
            INSERT INTO shop.webhook_deliveries (webhook_id, position, type, resource, aggregate_id, attempts)
            VALUES ({id}, 1, 'apexshop.order.placed', 'orders', 1, 0)
            """);
        await using var process = CommandsApp.Start(
            shop.App.Database.Commands, ("Access:Keys:1:Scopes:0", "admin"), ("Access:Keys:1:Scopes:1", "events:read"));
        using var http = CommandsApp.Client(process, Scopes.All[0]);
        using var body = WebhookShop.Json(
            new { url = "https://example.com/mine", types = new[] { "apexshop.product.created" } });

        foreach (var (method, path) in ((string, string)[])
            [("PUT", ""), ("POST", "/replay"), ("POST", "/secret"), ("POST", "/test")])
        {
            using var request = new HttpRequestMessage(HttpMethod.Parse(method), $"/admin/webhooks/{id}{path}");
            if (method == "PUT") request.Content = body;
            using var response = await http.SendAsync(request);
            (await Answer.ReadAsync(response)).ShouldBeProblem(HttpStatusCode.Forbidden, "access.scope_missing");
        }
    }

    [Fact]
    public async Task A_position_that_the_log_has_not_reached_is_refused()
    {
        var answer = await shop.App.PostAsync(
            $"/admin/webhooks?position={await shop.HeadAsync() + 1}", new { url = "https://example.com/future" });

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Text.ShouldContain("\"position\"");
    }

    [Fact]
    public async Task A_description_that_is_null_is_empty() =>
        (await shop.App.PostAsync("/admin/webhooks", """{"url":"https://example.com/a","description":null}"""))
            .Status.ShouldBe(HttpStatusCode.Created);

    [Fact]
    public async Task Two_webhooks_never_have_one_address()
    {
        await CreateAsync("https://example.com/once");

        var again = await shop.App.PostAsync("/admin/webhooks", new { url = "https://EXAMPLE.com:443/once" });

        again.ShouldBeProblem(HttpStatusCode.Conflict, "webhook.url_taken");
    }

    [Fact]
    public async Task A_shop_has_a_hundred_webhooks_at_most_also_when_they_are_created_at_the_same_time()
    {
        await shop.App.ScalarAsync<object>(
            """
            INSERT INTO shop.webhooks (url, description, types, is_active, key_id, position)
            SELECT 'https://example.com/' || n, '', '{}', false, '', 0 FROM generate_series(1, 98) AS n
            """);

        var answers = await Task.WhenAll(Enumerable.Range(0, 8).Select(
            one => shop.App.PostAsync("/admin/webhooks", new { url = $"https://example.com/further/{one}" })));

        answers.Count(one => one.Status == HttpStatusCode.Created).ShouldBe(2);
        answers.Where(one => one.Status != HttpStatusCode.Created)
            .ShouldAllBe(one => one.Status == HttpStatusCode.Conflict && one.Code == "webhook.too_many");
    }

    [Fact]
    public async Task The_secret_is_in_no_table_and_in_no_later_response()
    {
        var created = await CreateAsync("https://example.com/secret");
        var secret = created.GetProperty("secret").GetString()!;
        var id = created.GetProperty("id").GetInt32();

        var row = (await shop.App.ScalarAsync<string>($"SELECT w::text FROM shop.webhooks AS w WHERE id = {id}"))!;
        var read = await shop.App.Http.GetStringAsync($"/admin/webhooks/{id}");

        secret.ShouldStartWith("whsec_");
        var bytes = Convert.FromBase64String(secret["whsec_".Length..]);
        bytes.Length.ShouldBe(32);
        row.ShouldNotContain(Convert.ToHexStringLower(bytes));
        row.ShouldNotContain(secret["whsec_".Length..]);
        read.ShouldNotContain(secret["whsec_".Length..]);
    }

    [Fact]
    public async Task A_webhook_begins_at_the_position_that_is_asked_for()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var positions = await shop.AppendAsync(3);
        using var http = CommandsApp.Client(process, CommandsApp.Key);
        using var body = WebhookShop.Json(new { url = receiver.Url });

        using var response = await http.PostAsync($"/admin/webhooks?position={positions[0]}", body);

        response.StatusCode.ShouldBe(HttpStatusCode.Created);
        await Eventually.Holds(() => receiver.Received.Count == 2, "the two events after it arrive");
        receiver.Accepted.ShouldBe(positions.Skip(1), ignoreOrder: true);
    }

    [Fact]
    public async Task For_a_day_a_renewed_secret_and_the_earlier_one_sign()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, first) = await WebhookShop.HookAsync(process, receiver.Url);
        var answer = await shop.App.PostAsync($"/admin/webhooks/{id}/secret", "");
        var renewed = JsonDocument.Parse(answer.Text).RootElement.GetProperty("secret").GetString()!;

        await shop.AppendAsync(1);
        await shop.DeliveredAsync(id);
        await shop.App.ScalarAsync<object>("UPDATE shop.webhooks SET earlier_secret_until = now()");
        await shop.AppendAsync(1);
        await shop.DeliveredAsync(id);

        renewed.ShouldNotBe(first);
        receiver.Received.Select(one => (one.IsSignedWith(renewed), one.IsSignedWith(first)))
            .ShouldBe([(true, true), (true, false)]);
    }

    [Fact]
    public async Task A_webhook_of_another_key_is_not_delivered_until_its_secret_is_renewed()
    {
        await using var restored = shop.Start(("Webhooks:Key", TestKeys.Sessions));
        await using var receiver = await WebhookReceiver.StartAsync();
        var created = await CreateAsync("https://example.com/elsewhere");
        var id = created.GetProperty("id").GetInt32();
        await shop.App.ScalarAsync<object>($"UPDATE shop.webhooks SET url = '{receiver.Url}'");
        await using var own = await WebhookReceiver.StartAsync();
        var (other, _) = await WebhookShop.HookAsync(restored, own.Url);

        await shop.AppendAsync(2);
        await Eventually.Holds(() => own.Received.Count == 2, "the webhook of its own key is delivered");
        receiver.Arrived.ShouldBe(0);
        using var http = CommandsApp.Client(restored, CommandsApp.Key);
        (await http.GetStringAsync($"/admin/webhooks/{id}")).ShouldContain("\"OtherKey\"");

        (await http.PostAsync($"/admin/webhooks/{id}/secret", null)).StatusCode.ShouldBe(HttpStatusCode.OK);
        await Eventually.Holds(() => receiver.Received.Count == 2, "it is delivered");
        other.ShouldNotBe(id);
    }

    [Fact]
    public async Task A_test_says_what_the_receiver_responds()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, secret) = await WebhookShop.HookAsync(process, receiver.Url);
        using var http = CommandsApp.Client(process, CommandsApp.Key);
        receiver.Respond = _ => Task.FromResult(404);

        using var refused = await http.PostAsync($"/admin/webhooks/{id}/test", null);
        receiver.Respond = _ => Task.FromResult(200);
        using var accepted = await http.PostAsync($"/admin/webhooks/{id}/test", null);

        (await refused.Content.ReadAsStringAsync()).ShouldBe("""{"isDelivered":false,"failure":"Response 404."}""");
        (await accepted.Content.ReadAsStringAsync()).ShouldBe("""{"isDelivered":true,"failure":null}""");
        receiver.Received.ShouldAllBe(one => one.Entry.Type == "apexshop.webhook.test" && one.IsSignedWith(secret));
    }

    [Fact]
    public async Task What_operators_do_with_webhooks_is_recorded_without_the_address()
    {
        await CreateAsync("https://example.com/recorded?token=1");

        var record = await shop.App.ScalarAsync<string>(
            "SELECT concat_ws(' ', action, path) FROM shop.operator_actions ORDER BY id DESC LIMIT 1");
        record.ShouldBe("CreateWebhook /admin/webhooks");
    }

    private async Task<JsonElement> CreateAsync(string url, params string[] types)
    {
        var answer = await shop.App.PostAsync("/admin/webhooks", new { url, types });
        answer.Status.ShouldBe(HttpStatusCode.Created, answer.Text);
        return JsonDocument.Parse(answer.Text).RootElement;
    }
}
