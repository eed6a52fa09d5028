using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using ApexShop.Resources;
using ApexShop.TestKit;
using RabbitMQ.Client;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Telemetry;

/// <summary>
/// A shop in which every kind of failure happens with personal data; then every line that any process wrote is
/// searched for these data.
/// </summary>
public sealed class LogTests(RunningShop running, ITestOutputHelper output) : ShopTests(running.Shop, output),
    IClassFixture<RunningShop>
{
    private const string Person = "xantippe", Street = "Hemlock Alley", Phone = "+49 30 777",
        Password = "drowssap-terces-42", Sought = "jacaranda-secret", Key = "not-a-key-but-a-secret";

    // A part of each value that occurs nowhere else.
    private static readonly string[] secrets =
        [Person, "Hemlock", "777777", "drowssap", "jacaranda", Key, TestKeys.Everything, TestKeys.Events];

    [Fact]
    public async Task No_log_line_contains_data_of_a_request()
    {
        var user = await AskAndCommandAsync();
        await SendWhatIsRefusedAsync();
        await FailInTheDatabaseAsync(user);
        await ParkAsync();

        // Waits until each failure has been logged.
        foreach (var id in (int[])[1000, 1001, 3001, 3103])
            await Eventually.Holds(
                () => Lines().Exists(line => line.Contains($"\"EventId\":{id},", StringComparison.Ordinal)),
                $"event {id} is logged");
        var lines = Lines();
        lines.Count.ShouldBeInRange(10, 390, "no process has written more than the test kit keeps");
        foreach (var secret in secrets)
            lines.Where(line => line.Contains(secret, StringComparison.OrdinalIgnoreCase)).ShouldBeEmpty();
    }

    [Fact]
    public async Task Each_line_is_a_JSON_object_and_a_failed_request_is_logged_with_its_trace_id()
    {
        await State.Database.RowsAsync("ALTER TABLE shop.reviews RENAME TO reviews_hidden");
        var caller = new TracedCaller();
        try
        {
            using var failed = await caller.SendAsync(Shop.Commands, HttpMethod.Delete, "/reviews/1");
            failed.StatusCode.ShouldBe(HttpStatusCode.InternalServerError);
        }
        finally
        {
            await State.Database.RowsAsync("ALTER TABLE shop.reviews_hidden RENAME TO reviews");
        }

        await Eventually.Holds(
            () => Lines().Exists(line => line.Contains(caller.Trace, StringComparison.Ordinal)),
            "the failure is logged");
        foreach (var line in Lines())
            JsonDocument.Parse(line).RootElement.GetProperty("Category").GetString().ShouldNotBeNullOrEmpty();
    }

    private List<string> Lines() =>
        [.. Shop.Tail(int.MaxValue).Split('\n').Where(line => line.Length > 0 && !line.StartsWith('-'))];

    private async Task<int> AskAndCommandAsync()
    {
        var user = await Client.CreateAsync(Resource.Users.Name, Customer($"{Person}@example.com"));
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Any"));
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id));
        using var order = await Shop.Commands.Http.PostAsJsonAsync(
            "/orders",
            new
            {
                userId = user.Id, shippingAddress = Street,
                items = new[] { new { productId = product.Id, quantity = 1 } },
            });
        order.StatusCode.ShouldBe(HttpStatusCode.Created);
        await State.ProjectedAsync();
        foreach (var path in (string[])[
            $"/users/v2?email={Person}%40example.com", $"/products/v2?q={Sought}", $"/users/cursor?nonsense={Person}",
            $"/{Person}@example.com",
        ])
        {
            using var response = await Shop.Queries.Http.GetAsync(path);
            ((int)response.StatusCode).ShouldBeLessThan(500);
        }

        return user.Id;
    }

    private async Task SendWhatIsRefusedAsync()
    {
        await RefusedAsync(HttpStatusCode.Conflict, JsonContent.Create(Customer($"{Person}@example.com")));
        await RefusedAsync(HttpStatusCode.BadRequest, JsonContent.Create(Customer($"{Person} at example")));
        await RefusedAsync(
            HttpStatusCode.BadRequest, Text($$"""{"email":"{{Person}}@example.com","password":"{{Password}}","""));
        await RefusedAsync(
            HttpStatusCode.BadRequest,
            Text($$"""{"email":"{{Person}}@example.com","firstName":["{{Person}}"],"{{Person}}":1}"""));
        await RefusedAsync(
            HttpStatusCode.BadRequest,
            Text($$"""
                {"email":"a@b.example","firstName":"{{Person}}\u0000","lastName":"B","password":"{{Password}}"}
                """));
        using var stranger = new HttpClient { BaseAddress = Shop.Commands.Url };
        stranger.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Key);
        (await stranger.PostAsJsonAsync("/users", Customer($"{Person}@example.com")))
            .StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        // Two concurrent requests pass the check, and the constraint rejects one of them.
        await Task.WhenAll(
            Enumerable.Range(0, 6)
                .Select(_ => Shop.Commands.Http.PostAsJsonAsync("/users", Customer($"{Person}.twin@example.com"))));

        async Task RefusedAsync(HttpStatusCode status, HttpContent body)
        {
            using var response = await Shop.Commands.Http.PostAsync("/users", body);
            response.StatusCode.ShouldBe(status);
        }
    }

    private async Task FailInTheDatabaseAsync(int user)
    {
        await State.Database.RowsAsync(
            "ALTER TABLE shop.users ADD COLUMN broken int NOT NULL DEFAULT 0 CHECK (email NOT LIKE '%.broken@%')");
        await State.Database.RowsAsync("ALTER TABLE read.users RENAME TO users_hidden");
        try
        {
            await Shop.Commands.Http.PostAsJsonAsync("/users", Customer($"{Person}.broken@example.com"));
            using var unread = await Shop.Queries.Http.GetAsync($"/users/{user}");
            unread.StatusCode.ShouldBe(HttpStatusCode.InternalServerError);
            using var notFound = await Shop.Queries.Http.GetAsync($"/users/v2?email={Person}%40example.com");
        }
        finally
        {
            await State.Database.RowsAsync("ALTER TABLE read.users_hidden RENAME TO users");
            await State.Database.RowsAsync("ALTER TABLE shop.users DROP COLUMN broken");
        }

        await State.Database.RowsAsync("REVOKE ALL ON shop.users FROM commands");
        try
        {
            using var refused =
                await Shop.Commands.Http.PostAsJsonAsync("/users", Customer($"{Person}.revoked@example.com"));
            refused.StatusCode.ShouldBe(HttpStatusCode.InternalServerError);
        }
        finally
        {
            await State.Database.RowsAsync("GRANT SELECT, INSERT, UPDATE, DELETE ON shop.users TO commands");
        }

        await State.Database.RowsAsync(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
            + "pg_backend_pid()");
        for (var i = 0; i < 3; i++)
            await Shop.Commands.Http.PostAsJsonAsync("/users", Customer($"{Person}.{i}@example.com"));
    }

    // Events whose data no document can hold, and bodies that are no events at all.
    private async Task ParkAsync()
    {
        foreach (var data in (string[])
        [
            $$"""
            {"id":900001,"version":1,"email":"{{Person}}@x","firstName":"{{Person}}\u0000","lastName":"x",
             "isActive":true,"createdDate":"2026-01-01T00:00:00Z"}
            """,
            $$"""{"id":900002,"version":1,"email":["{{Person}}"],"firstName":"{{Person}}"}""",
        ])
        {
            var id = JsonDocument.Parse(data).RootElement.GetProperty("id").GetInt32();
            await State.Database.RowsAsync(
                "INSERT INTO shop.outbox (type, resource, aggregate_id, version, data) VALUES "
                + "('apexshop.user.created', 'users', $1, 1, $2::json)", id, data);
        }

        await using var connection = await new ConnectionFactory { Uri = Shop.Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        foreach (var body in (string[])[
            $"{Person}@example.com", $$"""[{"specversion":"{{Person}}","id":"{{Person}}"}]""",
            $$"""[{"id":"{{Person}}""",
        ])
            await channel.BasicPublishAsync(Shop.Exchange, "users", Encoding.UTF8.GetBytes(body));

        await Eventually.Holds(async () =>
            await State.Database.ScalarAsync<long>("SELECT count(*) FROM read.parked_events") == 2,
            "both are parked");
        await Eventually.Holds(async () =>
            await State.Database.ScalarAsync<long>("SELECT count(*) FROM read.dead_letters") == 3,
            "the unreadable messages are dead letters");
    }

    private static object Customer(string email) => new
    {
        email,
        password = Password,
        firstName = Person,
        lastName = Person,
        phoneNumber = $"{Phone}777",
        isActive = true,
    };

    private static StringContent Text(string json) => new(json, Encoding.UTF8, "application/json");
}
