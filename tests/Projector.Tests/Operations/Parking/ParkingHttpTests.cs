using System.Diagnostics.Metrics;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Events;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests.Operations.Parking;

public sealed class ParkingHttpTests(ReadStore store) : QueueTest(store)
{
    [Fact]
    public async Task Lists_continue_after_the_previous_page_and_leave_nothing_out()
    {
        for (var id = 1; id <= 5; id++)
            await Projector.ApplyEachAsync(
                [Unreadable(Resource.Products.Name, id), Unreadable(Resource.Products.Name, id)]);
        await Projector.ApplyAsync(Unreadable(Resource.Categories.Name, 7));
        for (var i = 0; i < 5; i++)
            await Projector.Letters.SaveAsync(new[] { (byte)i }, null, "no", CancellationToken.None);
        await using var projector = await StartAsync();

        (await PagesAsync(projector, "parked?limit=2", item => $"{item["resource"]}/{item["id"]} {item["events"]}"))
            .ShouldBe(
            ["categories/7 1", "products/1 2", "products/2 2", "products/3 2", "products/4 2", "products/5 2"]);
        (await PagesAsync(projector, "parked?limit=3&resource=products", item => $"{item["id"]}"))
            .ShouldBe(["1", "2", "3", "4", "5"]);
        (await PagesAsync(projector, "dead-letters?limit=2", item => $"{item["bytes"]}"))
            .ShouldBe(["1", "1", "1", "1", "1"]);
        var page = await AskAsync(projector, HttpMethod.Get, "parked/products/3?limit=1");
        page["next"]!.GetValue<long>().ShouldBe(page["events"]![0]!["position"]!.GetValue<long>());
        var rest = await AskAsync(projector, HttpMethod.Get, $"parked/products/3?after={page["next"]}");
        rest["events"]!.AsArray().Count.ShouldBe(1);
    }

    [Fact]
    public async Task A_replay_of_all_continues_after_a_refusal_and_reports_each_aggregate()
    {
        for (var id = 1; id <= 3; id++)
            await Projector.ApplyEachAsync([Unreadable(Resource.Products.Name, id), History.Product(id, "Pen")]);
        // As if a program that could not read it had parked it.
        await Store.ExecuteAsync("DELETE FROM read.parked_events WHERE position IN (1, 5)");
        await using var projector = await StartAsync();

        var first = await AskAsync(projector, HttpMethod.Post, "parked/replay?limit=2");
        var second = await AskAsync(projector, HttpMethod.Post, $"parked/replay?limit=2&after={first["next"]}");

        (first["applied"]!.GetValue<int>(), first["left"]!.GetValue<int>(), (string?)first["next"])
            .ShouldBe((1, 2, "products/2"));
        (second["applied"]!.GetValue<int>(), second["left"]!.GetValue<int>(), second["next"]).ShouldBe((1, 0, null));
        first["items"]![1]!["reason"]!.GetValue<string>().ShouldNotBeEmpty();
        (await Store.ScalarAsync<string>("SELECT string_agg(id::text, ',' ORDER BY id) FROM read.products"))
            .ShouldBe("1,3");
    }

    [Theory]
    [InlineData("GET", "parked?resource=carts", HttpStatusCode.BadRequest, "request.invalid")]
    [InlineData("GET", "parked?after=17", HttpStatusCode.BadRequest, "request.invalid")]
    [InlineData("GET", "parked?limit=0", HttpStatusCode.BadRequest, "request.invalid")]
    [InlineData("GET", "parked?limit=501", HttpStatusCode.BadRequest, "request.invalid")]
    [InlineData("GET", "parked?limit=x", HttpStatusCode.BadRequest, "request.malformed")]
    [InlineData("GET", "dead-letters?limit=501", HttpStatusCode.BadRequest, "request.invalid")]
    [InlineData("POST", "parked/replay?limit=101", HttpStatusCode.BadRequest, "request.invalid")]
    [InlineData("POST", "dead-letters/replay?limit=101", HttpStatusCode.BadRequest, "request.invalid")]
    [InlineData("GET", "parked/carts/1", HttpStatusCode.NotFound, "path.unknown")]
    [InlineData("POST", "parked/carts/1/heal", HttpStatusCode.NotFound, "path.unknown")]
    [InlineData("GET", "parked/products/1", HttpStatusCode.NotFound, "parked.not_found")]
    [InlineData("POST", "parked/products/1/replay", HttpStatusCode.NotFound, "parked.not_found")]
    [InlineData("DELETE", "parked/products/1", HttpStatusCode.NotFound, "parked.not_found")]
    [InlineData("GET", "dead-letters/1", HttpStatusCode.NotFound, "dead_letter.not_found")]
    [InlineData("POST", "dead-letters/1/replay", HttpStatusCode.NotFound, "dead_letter.not_found")]
    [InlineData("DELETE", "dead-letters/1", HttpStatusCode.NotFound, "dead_letter.not_found")]
    public async Task Invalid_requests_are_refused_with_their_codes(
        string method, string path, HttpStatusCode status, string code)
    {
        await using var projector = await StartAsync();

        await ShouldBeRefusedAsync(projector.Operator, projector, method, path, status, code);

        using var stranger = new HttpClient();
        await ShouldBeRefusedAsync(
            stranger, projector, method, path, HttpStatusCode.Unauthorized, "access.key_required");
        using var reader =
            new HttpClient { DefaultRequestHeaders = { Authorization = new("Bearer", TestKeys.Events) } };
        await ShouldBeRefusedAsync(reader, projector, method, path, HttpStatusCode.Forbidden, "access.scope_missing");
    }

    [Fact]
    public async Task A_heal_without_the_log_is_refused_with_a_time_to_retry()
    {
        await using var projector = await StartAsync();
        History.Available = false;

        using var answer = await projector.Operator.PostAsync(
            new Uri("/admin/parked/products/1/heal", UriKind.Relative), null);

        answer.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        answer.Headers.RetryAfter.ShouldNotBeNull();
        (await answer.Content.ReadFromJsonAsync<JsonNode>())!["code"]!.GetValue<string>().ShouldBe("log.unavailable");
    }

    [Fact]
    public async Task The_gauges_show_what_was_counted_last_and_nothing_before()
    {
        var gauges = new Dictionary<string, long>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listening) =>
            {
                if (instrument is ObservableGauge<long> && instrument.Meter.Scope == Projector.Meters)
                    listening.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => gauges[instrument.Name] = value);
        listener.Start();
        listener.RecordObservableInstruments();
        gauges.ShouldBeEmpty();

        await Projector.ApplyEachAsync(
            [Unreadable(Resource.Products.Name, 1), History.Product(1, "Pen"), Unreadable(Resource.Products.Name, 2)]);
        await Projector.Letters.SaveAsync("x"u8.ToArray(), null, "no", CancellationToken.None);
        await Projector.Waiting.StartAsync(CancellationToken.None);
        await Eventually.Holds(() => IsShown("apexshop.dead_letters"), "it is counted");
        await Projector.Waiting.StopAsync(CancellationToken.None);

        gauges.ShouldBe(
            new Dictionary<string, long>
            {
                ["apexshop.parked.events"] = 3, ["apexshop.parked.aggregates"] = 2, ["apexshop.dead_letters"] = 1,
            },
            ignoreOrder: true);

        bool IsShown(string name)
        {
            listener.RecordObservableInstruments();
            return gauges.ContainsKey(name);
        }
    }

    private LogEntry Unreadable(string resource, int id) =>
        History.Add(resource, $"apexshop.{resource}.updated", id, "{}"u8.ToArray(), History.NextVersion(resource, id));

    private static async Task<List<string>> PagesAsync(
        RunningProjector projector, string path, Func<JsonNode, string> show)
    {
        var seen = new List<string>();
        for (var next = ""; ;)
        {
            var page = await AskAsync(projector, HttpMethod.Get, path + next);
            seen.AddRange(page["items"]!.AsArray().Select(item => show(item!)));
            if (page["next"] is not { } more) return seen;
            next = $"&after={more}";
        }
    }

    private static async Task<JsonNode> AskAsync(RunningProjector projector, HttpMethod method, string path)
    {
        using var request = new HttpRequestMessage(method, $"/admin/{path}");
        using var answer = await projector.Operator.SendAsync(request);
        var text = await answer.Content.ReadAsStringAsync();
        answer.StatusCode.ShouldBe(HttpStatusCode.OK, text);
        return JsonNode.Parse(text)!;
    }

    private static async Task ShouldBeRefusedAsync(
        HttpClient http, RunningProjector projector, string method, string path, HttpStatusCode status, string code)
    {
        using var request = new HttpRequestMessage(
            HttpMethod.Parse(method), new Uri(projector.Address, $"/admin/{path}"));
        using var answer = await http.SendAsync(request);
        var text = await answer.Content.ReadAsStringAsync();
        answer.StatusCode.ShouldBe(status, text);
        JsonNode.Parse(text)!["code"]!.GetValue<string>().ShouldBe(code);
    }
}
