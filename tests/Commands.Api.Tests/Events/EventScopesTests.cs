using System.Net;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Access;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.AspNetCore.Mvc.Testing;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>An event contains the whole state, so it is as protected as the document.</summary>
public sealed class EventScopesTests : LogShop, IAsyncLifetime
{
    private static readonly string[] onlyOfTheLog = ["limit=", "compacted="];

    private WebApplicationFactory<Program>? factory;
    private int user;

    async Task IAsyncLifetime.InitializeAsync()
    {
        await InitializeAsync();
        user = await App.UserAsync();
        await FillAsync(1, 40);
        factory = CommandsApp.Start(
            App.Database.Commands,
            [.. Key(20, "of-orders", Scopes.OrdersRead), .. Key(21, "of-all", Scopes.OrdersRead, Scopes.UsersRead)]);
    }

    async Task IAsyncLifetime.DisposeAsync()
    {
        await factory!.DisposeAsync();
        await DisposeAsync();
    }

    [Theory]
    [InlineData("", "orders:read users:read")]
    [InlineData("after=7&limit=1", "orders:read users:read")]
    [InlineData("compacted=true", "orders:read users:read")]
    [InlineData("resource=orders", "orders:read")]
    [InlineData("resource=users", "users:read")]
    [InlineData("compacted=true&resource=users", "users:read")]
    [InlineData("types=apexshop.product.updated,apexshop.order.placed", "orders:read")]
    [InlineData("aggregate=products/7&aggregate=users/1", "users:read")]
    [InlineData("resource=users&types=apexshop.user.created&aggregate=users/1", "users:read")]
    public async Task A_key_without_the_read_scopes_gets_no_event_and_their_names(string query, string missing)
    {
        foreach (var path in (string[])["/events", "/events/live"])
        {
            // The live feed has neither a limit nor a compacted form.
            if (path == "/events/live" && onlyOfTheLog.Any(name => query.Contains(name, StringComparison.Ordinal)))
                continue;
            using var http = CommandsApp.Client(factory!, Scopes.EventsRead);
            using var response = await http.GetAsync($"{path}?{query}", HttpCompletionOption.ResponseHeadersRead);
            response.StatusCode.ShouldBe(HttpStatusCode.Forbidden, $"{path}?{query}");
            var answer = await Answer.ReadAsync(response);

            answer.ShouldBeProblem(HttpStatusCode.Forbidden, "access.scope_missing");
            var named = answer.Body.GetProperty("missingScopes").EnumerateArray().Select(scope => scope.GetString()!);
            named.Order().ShouldBe(missing.Split(' '));
            foreach (var scope in missing.Split(' '))
                answer.Body.GetProperty("detail").GetString()!.ShouldContain(scope);
        }
    }

    [Theory]
    [InlineData("resource=products", true)]
    [InlineData("types=apexshop.product.updated", true)]
    [InlineData("aggregate=products/7", true)]
    [InlineData("resource=products&types=apexshop.order.placed", false)]
    public async Task Events_of_public_documents_need_no_other_scope(string query, bool hasEvents)
    {
        using var http = CommandsApp.Client(factory!, Scopes.EventsRead);
        using var response = await http.GetAsync($"/events?{query}");
        using var ofAll = CommandsApp.Client(factory!, "of-all");
        using var complete = await ofAll.GetAsync($"/events?{query}");

        var read = await EventsResponse.ReadAsync(response);
        read.Positions.ShouldBe((await EventsResponse.ReadAsync(complete)).Positions);
        read.Events.ShouldAllBe(one => one.Resource == Resource.Products.Name);
        (read.Events.Count > 0).ShouldBe(hasEvents);
    }

    [Fact]
    public async Task With_the_read_scope_of_one_resource_only_its_events_are_open()
    {
        using var http = CommandsApp.Client(factory!, "of-orders");
        using var orders = await http.GetAsync("/events?resource=orders");
        using var users = await http.GetAsync("/events?resource=users");
        using var whole = await http.GetAsync("/events");

        (await EventsResponse.ReadAsync(orders)).Events.ShouldNotBeEmpty();
        users.StatusCode.ShouldBe(HttpStatusCode.Forbidden);
        whole.StatusCode.ShouldBe(HttpStatusCode.Forbidden);
    }

    [Fact]
    public async Task With_all_read_scopes_the_whole_log_has_every_position()
    {
        using var http = CommandsApp.Client(factory!, "of-all");
        using var response = await http.GetAsync("/events");

        var log = await EventsResponse.ReadAsync(response);
        log.Positions.ShouldBe(Enumerable.Range(1, (int)log.Head).Select(position => (long)position));
        log.Events.ShouldContain(one => one.Resource == "users" && one.AggregateId == user);
    }

    [Theory]
    [InlineData("/events/checksums?resource=users")]
    [InlineData("/events/aggregates?resource=users&bucket=0")]
    public async Task A_checksum_with_which_a_guess_could_be_verified_needs_the_scope_too(string path)
    {
        foreach (var (key, status) in
            new[] { (Scopes.EventsRead, HttpStatusCode.Forbidden), ("of-all", HttpStatusCode.OK) })
        {
            using var http = CommandsApp.Client(factory!, key);
            using var response = await http.GetAsync(path);
            response.StatusCode.ShouldBe(status, path);
        }
    }

    [Fact]
    public void No_event_type_belongs_to_an_unknown_resource() =>
        EventTypes.All.ShouldAllBe(type => Resource.Exists(type.Resource));

    private static (string, string)[] Key(int index, string key, params string[] scopes) =>
    [
        ($"Access:Keys:{index}:Name", key),
        ($"Access:Keys:{index}:Sha256", Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)))),
        .. scopes.Prepend(Scopes.EventsRead).Select((scope, i) => ($"Access:Keys:{index}:Scopes:{i}", scope)),
    ];
}
