using System.Diagnostics;
using System.Net;
using System.Text.Json;
using ApexShop.Commands.Api.Outbox;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Operations.Console;

public sealed class GetPipelineTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Nowhere = "http://127.0.0.1:1";
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=none;Timeout=1";

    private const string Projected =
        """
        {"epoch":3,"positions":{"products":10,"orders":12,"users":0},"parkedAggregates":2,"parkedEvents":5,
        "somethingOfALaterVersion":[1]}
        """;

    private const string Counted = """
        apexshop_cache_hits_total{level="memory"} 60
        apexshop_cache_hits_total{level="redis"} 20
        apexshop_cache_misses_total 20
        """;

    [Fact]
    public async Task Every_part_is_reported_with_its_position_in_the_log()
    {
        await FillLogAsync();
        await using var projector = await FakePeer.RespondAsync(Projected);
        await using var queries = await FakePeer.RespondAsync(Counted);
        await using var more = await FakePeer.RespondAsync("""apexshop_cache_hits_total{level="memory"} 100""");
        var status = await AskAsync([projector.Url], [queries.Url, more.Url], () =>
        {
            projector.Asked.Clear();
            queries.Asked.Clear();
        });

        var log = status.GetProperty("log");
        (Text(log, "state"), Text(log, "leader"), Number(log, "head"), Number(log, "published"))
            .ShouldBe(("ok", "none", 14, 13));
        Number(log, "outbox").ShouldBe(1);
        log.GetProperty("outboxAgeSeconds").GetDouble().ShouldBeInRange(3600, 4000);
        Number(log.GetProperty("positions"), "products").ShouldBe(14);

        var projection = status.GetProperty("projection");
        Text(projection, "state").ShouldBe("ok");
        Number(projection.GetProperty("status"), "parkedEvents").ShouldBe(5);
        // From position 11 to 14, of all resources.
        Number(projection, "lagEvents").ShouldBe(4);
        projection.GetProperty("lagSeconds").GetDouble().ShouldBeInRange(600, 1000);
        Number(projection.GetProperty("lag").GetProperty("products"), "events").ShouldBe(2);
        Number(projection.GetProperty("lag").GetProperty("orders"), "events").ShouldBe(0);
        projection.GetProperty("lag").GetProperty("orders").GetProperty("seconds").GetDouble().ShouldBe(0);

        var cache = status.GetProperty("cache");
        cache.GetProperty("memoryHitRatio").GetDouble().ShouldBe(0.8);
        cache.GetProperty("redisHitRatio").GetDouble().ShouldBe(0.1);
        projector.Asked.ShouldBe(
            [("/admin/projection", $"Bearer {CommandsApp.Key}"), ("/admin/projections/rebuild", "Bearer "
                + $"{CommandsApp.Key}"), ("/metrics", $"Bearer {CommandsApp.Key}"), ("/health/ready", "")],
            ignoreOrder: true);
        queries.Asked.ShouldBe(
            [("/metrics", $"Bearer {CommandsApp.Key}"), ("/health/ready", "")], ignoreOrder: true);
    }

    [Fact]
    public async Task Parts_that_never_respond_are_unavailable_and_the_others_are_reported()
    {
        await using var silent = await FakePeer.NeverRespondAsync();
        await using var queries = await FakePeer.RespondAsync(Counted);
        JsonElement status = default;
        // All parts share two seconds, in which this machine may pause.
        for (var attempt = 0; attempt < 5 && !IsOfTheOthers(status); attempt++)
            status = await AskAsync([silent.Url], [silent.Url, queries.Url, Nowhere], attempts: 1);

        Text(status.GetProperty("log"), "state").ShouldBe("ok");
        var projection = status.GetProperty("projection");
        Text(projection, "state").ShouldBe("unavailable");
        string[] members = ["status", "queueDepth", "rebuild", "lagEvents", "lagSeconds", "lag", "visible"];
        foreach (var member in members)
            projection.GetProperty(member).ValueKind.ShouldBe(JsonValueKind.Null, member);
        var cache = status.GetProperty("cache");
        Text(cache, "state").ShouldBe("ok");
        States(cache).ShouldBe(["unavailable", "ok", "unavailable"]);
        cache.GetProperty("memoryHitRatio").GetDouble().ShouldBe(0.6);

        static bool IsOfTheOthers(JsonElement status) =>
            status.ValueKind == JsonValueKind.Object && Text(status.GetProperty("log"), "state") == "ok"
            && States(status.GetProperty("cache"))[1] == "ok";
    }

    [Theory]
    [InlineData(Unavailable)]
    [InlineData("Host=missing.invalid;Username=none;Timeout=1")]
    public async Task Without_the_database_the_other_parts_are_reported(string database)
    {
        await using var projector = await FakePeer.RespondAsync(Projected);
        await using var queries = await FakePeer.RespondAsync(Counted);
        await using var alone = Start(database, [projector.Url], [queries.Url]);
        var status = await AskAsync(alone);

        Text(status.GetProperty("log"), "state").ShouldBe("unavailable");
        status.GetProperty("log").GetProperty("head").ValueKind.ShouldBe(JsonValueKind.Null);
        Text(status.GetProperty("projection"), "state").ShouldBe("ok");
        Number(status.GetProperty("projection").GetProperty("status").GetProperty("positions"), "products")
            .ShouldBe(10);
        status.GetProperty("projection").GetProperty("lagSeconds").ValueKind.ShouldBe(JsonValueKind.Null);
        Text(status.GetProperty("cache"), "state").ShouldBe("ok");
    }

    [Theory]
    [InlineData(403, """{"code":"access.scope_missing"}""", "refused", "access.scope_missing")]
    [InlineData(503, """{"code":"database.unavailable"}""", "unavailable", "database.unavailable")]
    [InlineData(500, "<html>", "unavailable", null)]
    [InlineData(500, """{"code":7}""", "unavailable", null)]
    [InlineData(500, "[]", "unavailable", null)]
    [InlineData(200, "no status", "unavailable", null)]
    public async Task Without_a_valid_status_the_state_and_the_code_are_reported(
        int answered, string body, string state, string? reason)
    {
        await using var projector = await FakePeer.RespondAsync(body, answered);
        var projection = (await AskAsync([projector.Url], [])).GetProperty("projection");

        Text(projection, "state").ShouldBe(state);
        var process = projection.GetProperty("processes")[0];
        Text(process, "state").ShouldBe(state);
        process.GetProperty("reason").GetString().ShouldBe(reason);
        projection.GetProperty("status").ValueKind.ShouldBe(JsonValueKind.Null);
    }

    [Fact]
    public async Task Of_several_Projectors_the_first_that_responds_gives_the_status()
    {
        await using var projector = await FakePeer.RespondAsync(Projected);
        await using var refusing = await FakePeer.RespondAsync("{}", 401);
        var projection = (await AskAsync([Nowhere, refusing.Url, projector.Url], [])).GetProperty("projection");

        Text(projection, "state").ShouldBe("ok");
        States(projection).ShouldBe(["unavailable", "refused", "ok"]);
        Number(projection.GetProperty("status"), "epoch").ShouldBe(3);
    }

    [Fact]
    public async Task A_rebuild_is_reported_as_the_Projector_reports_it()
    {
        const string running =
            """
            {"state":"running","phase":"copying","cause":"asked",
            "documents":{"users":{"done":5,"total":9,"before":9,"differing":0,"examples":[]},
            "orders":{"done":7,"total":10,"before":9,"differing":0,"examples":[]}},
            "position":9,"seconds":1.5,"startedAt":null,"failure":null,"parkedAggregates":0,"canRollBack":false}
            """;
        await using var projector = await FakePeer.StartAsync(
            http => http.Response.WriteAsync(http.Request.Path == "/admin/projection" ? Projected : running));
        var rebuild = (await AskAsync([Nowhere, projector.Url], [])).GetProperty("projection").GetProperty("rebuild");

        rebuild.GetRawText().ShouldBe(
            """{"state":"running","phase":"copying","cause":"asked","done":12,"total":19,"seconds":1.5,"""
            + "\"failure\":null}");
    }

    [Fact]
    public async Task Every_process_is_reported_with_its_dependencies()
    {
        await using var projector = await FakePeer.RespondAsync(
            """{"status":"not ready","checks":{"postgres":"unavailable","redis":"ok"}}""", 503);
        await using var queries = await FakePeer.RespondAsync(
            """{"status":"ready","checks":{"postgres":"ok","redis":"unavailable"}}""");
        var processes = (await AskAsync([projector.Url, Nowhere], [queries.Url])).GetProperty("processes");

        processes.EnumerateArray().Select(process => Text(process, "name"))
            .ShouldBe(["Commands.Api", "Projector", "Projector", "Queries.Api"]);
        processes.EnumerateArray().Select(process => Text(process, "state"))
            .ShouldBe(["ready", "not ready", "unavailable", "ready"]);
        processes.EnumerateArray().Select(process => process.GetProperty("checks").GetRawText()).ShouldBe(
        [
            """{"postgres":"ok","rabbitmq":"ok"}""", """{"postgres":"unavailable","redis":"ok"}""", "null",
            """{"postgres":"ok","redis":"unavailable"}""",
        ]);
        Text(processes[1], "url").ShouldStartWith(projector.Url);
    }

    [Fact]
    public async Task A_shop_without_the_other_processes_still_reports_its_log()
    {
        var status = await AskAsync([], []);
        Text(status.GetProperty("projection"), "state").ShouldBe("unavailable");
        Text(status.GetProperty("cache"), "state").ShouldBe("unavailable");
        status.GetProperty("cache").GetProperty("memoryHitRatio").ValueKind.ShouldBe(JsonValueKind.Null);
        Text(status.GetProperty("log"), "state").ShouldBe("ok");
    }

    [Fact]
    public async Task A_leader_in_another_process_is_detected_by_its_lease()
    {
        await using var leader = new NpgsqlConnection($"{app.Database.Commands};Pooling=false");
        await leader.OpenAsync();
        var lease = new LeaderLease(
            Options.Create(new OutboxOptions { Lease = TimeSpan.FromHours(1) }), NullLogger<LeaderLease>.Instance);
        var connection = new LeaderConnection(leader);
        (await lease.TakeAsync(connection, reachesBroker: false, CancellationToken.None)).Term.ShouldNotBeNull();

        Text((await AskAsync([], [])).GetProperty("log"), "leader").ShouldBe("another");
    }

    private async Task FillLogAsync()
    {
        await using var command = app.Superuser.CreateCommand("""
            INSERT INTO shop.events (position, previous, event_id, type, resource, aggregate_id, version, time, data)
            SELECT position, 0, gen_random_uuid(), 'apexshop.product.updated', resource, 1, position, now() - age, '{}'
            FROM (VALUES (10, 'products', interval '2 hours'), (11, 'products', interval '10 minutes'), (12, 'orders',
                interval '1 hour'),
                         (13, 'reviews', interval '3 hours'), (14, 'products', interval '1 minute')) AS one (position,
                             resource, age);
            UPDATE shop.log_positions SET position = one.position
            FROM (VALUES ('head', 14), ('published', 13), ('products', 14), ('orders', 12), ('reviews',
                13)) AS one (name, position)
            WHERE log_positions.name = one.name;
            INSERT INTO shop.outbox (type, resource, aggregate_id, version, time, data)
            VALUES ('apexshop.order.placed', 'orders', 1, 1, now() - interval '1 hour', '{"statusHistory":[]}');
            """);
        await command.ExecuteNonQueryAsync();
    }

    private async Task<JsonElement> AskAsync(
        string[] projectors, string[] queries, Action? beforeEach = null, int attempts = 5)
    {
        await using var own = Start(app.Database.Commands, projectors, queries);
        return await AskAsync(own, beforeEach, attempts);
    }

    // The parts have two seconds in all. If all of them respond, only a pause of this machine takes half of that, and
    // the status is requested again.
    private static async Task<JsonElement> AskAsync(
        WebApplicationFactory<Program> api, Action? beforeEach = null, int attempts = 5)
    {
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        // What only the first requests need, such as a connection to the database, has no part of the time limit.
        foreach (var path in (string[])["/health/ready", "/admin/pipeline"]) (await http.GetAsync(path)).Dispose();

        for (var attempt = 1; ; attempt++)
        {
            beforeEach?.Invoke();
            var time = Stopwatch.StartNew();
            using var answer = await http.GetAsync("/admin/pipeline");
            if (time.Elapsed > TimeSpan.FromSeconds(1) && attempt < attempts) continue;

            answer.StatusCode.ShouldBe(HttpStatusCode.OK);
            answer.Headers.CacheControl!.NoStore.ShouldBeTrue();
            return JsonDocument.Parse(await answer.Content.ReadAsStringAsync()).RootElement;
        }
    }

    private static WebApplicationFactory<Program> Start(string connection, string[] projectors, string[] queries) =>
        CommandsApp.Start(
        connection,
        [
            // So that only the timeout of the pipeline status ends a hanging request.
            ("Limits:RequestSeconds", "600"),
            .. projectors.Select((url, index) => ($"Projector:Urls:{index}", url)),
            .. queries.Select((url, index) => ($"Queries:Urls:{index}", url)),
        ]);

    private static string[] States(JsonElement part) =>
        [.. part.GetProperty("processes").EnumerateArray().Select(process => Text(process, "state")!)];

    private static string? Text(JsonElement part, string member) => part.GetProperty(member).GetString();

    private static long Number(JsonElement part, string member) => part.GetProperty(member).GetInt64();
}
