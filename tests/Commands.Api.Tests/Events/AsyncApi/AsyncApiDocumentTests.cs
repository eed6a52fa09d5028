using System.Buffers;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using ApexShop.Commands.Api.Tests.HttpFiles;
using ApexShop.Events;
using ApexShop.Messaging;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.HttpFiles;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Commands.Api.Tests.Events.AsyncApi;

public sealed partial class AsyncApiDocumentTests(LogShop shop) : IClassFixture<LogShop>
{
    // AsyncAPI 3.0.0, as far as it is used: the required and the optional members of an object.
    private static readonly Dictionary<string, (string[] Must, string[] May)> objects = new()
    {
        ["root"] = (
            ["asyncapi", "info"], ["id", "servers", "defaultContentType", "channels", "operations", "components"]),
        ["info"] = (
            ["title", "version"], ["description", "termsOfService", "contact", "license", "tags", "externalDocs"]),
        ["license"] = (["name"], ["url"]),
        ["server"] = (["host", "protocol"],
        [
            "protocolVersion", "pathname", "description", "title", "summary", "variables", "security", "tags",
            "externalDocs", "bindings",
        ]),
        ["variable"] = ([], ["enum", "default", "description", "examples"]),
        ["channel"] = ([],
        [
            "address", "messages", "title", "summary", "description", "servers", "parameters", "tags", "externalDocs",
            "bindings",
        ]),
        ["operation"] = (["action", "channel"],
        [
            "title", "summary", "description", "security", "tags", "externalDocs", "bindings", "traits", "messages",
            "reply",
        ]),
        ["message"] = ([],
        [
            "headers", "payload", "correlationId", "contentType", "name", "title", "summary", "description", "tags",
            "externalDocs", "bindings", "examples", "traits",
        ]),
        ["example"] = ([], ["headers", "payload", "name", "summary"]),
        ["components"] = (
            [], ["schemas", "servers", "channels", "operations", "messages", "securitySchemes", "parameters"]),
    };

    [Fact]
    public async Task It_needs_no_key_and_is_not_sent_again_to_a_client_that_has_it()
    {
        using var http = shop.App.ClientWith(null);
        using var first = await http.GetAsync("/asyncapi.json");
        first.Content.Headers.ContentType!.MediaType.ShouldBe("application/json");
        using var again = new HttpRequestMessage(HttpMethod.Get, "/asyncapi.json");
        again.Headers.IfNoneMatch.Add(first.Headers.ETag!);
        using var second = await http.SendAsync(again);
        second.StatusCode.ShouldBe(HttpStatusCode.NotModified);

        await using var closed = CommandsApp.Start(shop.App.Database.Commands, ("Docs:Enabled", "false"));
        using var elsewhere = CommandsApp.Client(closed, null);
        (await Answer.ReadAsync(await elsewhere.GetAsync("/asyncapi.json")))
            .ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");
    }

    [Fact]
    public async Task It_has_the_form_of_AsyncAPI_3()
    {
        var document = await ReadAsync();
        ((string)document["asyncapi"]!).ShouldBe("3.0.0");
        ShouldBe("root", document);
        ShouldBe("info", document["info"]!);
        ShouldBe("license", document["info"]!["license"]!);
        ShouldBe("components", document["components"]!);
        foreach (var (_, server) in Map(document["servers"]))
        {
            ShouldBe("server", server);
            var variables = Map(server["variables"]);
            foreach (var (_, variable) in variables) ShouldBe("variable", variable);
            Variable().Matches($"{server["host"]}{server["pathname"]}").Select(match => match.Groups[1].Value)
                .ShouldBe(variables.Select(one => one.Name), ignoreOrder: true);
            ((string)server["host"]!).ShouldNotContain("://");
        }

        foreach (var (_, channel) in Map(document["channels"])) ShouldBe("channel", channel);
        foreach (var (_, message) in Map(document["components"]!["messages"]))
        {
            ShouldBe("message", message);
            foreach (var example in message["examples"]!.AsArray()) ShouldBe("example", example!);
        }

        foreach (var (_, operation) in Map(document["operations"]))
        {
            ShouldBe("operation", operation);
            ((string)operation["action"]!).ShouldBe("send");
            var channel = (string)operation["channel"]!["$ref"]!;
            channel.ShouldStartWith("#/channels/");
            foreach (var message in operation["messages"]!.AsArray())
                ((string)message!["$ref"]!).ShouldStartWith($"{channel}/messages/");
        }

        foreach (var name in Map(document["components"]).SelectMany(kind => Map(kind.Value)).Select(one => one.Name))
            name.ShouldMatch(@"^[a-zA-Z0-9._-]+$");
    }

    [Fact]
    public async Task Every_reference_has_its_target_and_every_component_is_used()
    {
        var document = await ReadAsync();
        var references = new ApiDescription(document).Objects().Where(found => found.Object["$ref"] is JsonValue)
            .Select(found => (string)found.Object["$ref"]!).ToHashSet();
        foreach (var reference in references)
            new ApiDescription(document).Resolve(new JsonObject { ["$ref"] = reference }).ShouldNotBeNull();

        Map(document["components"])
            .SelectMany(kind => Map(kind.Value).Select(one => $"#/components/{kind.Name}/{one.Name}"))
            .ShouldBe(
                references.Where(reference => reference.StartsWith("#/components/", StringComparison.Ordinal)),
                ignoreOrder: true);
    }

    [Fact]
    public async Task Each_resource_is_a_routing_key_of_the_exchange_with_all_its_types()
    {
        var document = await ReadAsync();
        foreach (var resource in Resource.Names)
        {
            var channel = document["channels"]![resource]!;
            ((string)channel["address"]!).ShouldBe(resource);
            channel["bindings"]!["amqp"]!["exchange"]!.ToJsonString()
                .ShouldBe($$"""{"name":"{{Topology.Exchange}}","type":"topic","durable":true,"autoDelete":false}""");
            var message = document["components"]!["messages"]![$"{resource}.batch"]!;
            ((string)message["contentType"]!).ShouldBe(Topology.ContentType);
            OneOf(document["components"]!["schemas"]![$"{resource}.batch"]!["items"]!)
                .ShouldBe(
                    EventTypes.All.Where(type => type.Resource == resource).Select(type => type.Name),
                    ignoreOrder: true);
        }

        OneOf(document["components"]!["schemas"]!["event"]!)
            .ShouldBe(EventTypes.All.Select(type => type.Name), ignoreOrder: true);
        ((string)document["channels"]!["live"]!["address"]!).ShouldBe("/events/live");
    }

    [Fact]
    public async Task Sent_events_of_every_type_match_the_document()
    {
        var run = new HttpFileRunner(shop.App.Http, CommandsApp.Key);
        foreach (var file in CommandsFiles.All) await run.RunAsync(file);
        // The .http files change only the status of an order.
        (
            await shop.App.PutAsync(
                $"/orders/{await shop.App.OrderAsync((await shop.App.ProductAsync(), 1))}",
                new { status = "Pending", shippingAddress = "Elsewhere" })).Status.ShouldBe(HttpStatusCode.OK);
        await shop.FillAsync(1, 0);
        var events = (await shop.ReadAsync("/events?limit=3000")).Events;
        var missing = EventTypes.All.Select(type => type.Name).Except(events.Select(entry => entry.Type));
        events = [.. events, .. (await shop.ReadAsync($"/events?types={string.Join(',', missing)}")).Events];
        events.Select(entry => entry.Type).Distinct()
            .ShouldBe(EventTypes.All.Select(type => type.Name), ignoreOrder: true);

        var document = await ReadAsync();
        var check = new SchemaCheck(new ApiDescription(document));
        foreach (var message in events.GroupBy(entry => entry.Resource))
        {
            var body = new ArrayBufferWriter<byte>();
            CloudEvents.WriteBatch(body, message.Take(Topology.MaxEventsPerMessage));
            check.Errors(
                document["components"]!["messages"]![$"{message.Key}.batch"]!["payload"]!,
                JsonNode.Parse(body.WrittenSpan)).ShouldBeEmpty();
        }

        using var line = await SseClient.OpenAsync(shop.App.Http, "/events/live?after=0");
        for (var i = 0; i < 200; i++)
            check.Errors(
                document["components"]!["messages"]!["event"]!["payload"]!,
                JsonNode.Parse((await line.NextEventAsync())!.Data!)).ShouldBeEmpty();
    }

    [Fact]
    public async Task The_last_record_of_a_refused_stream_matches_the_document()
    {
        using var line = await SseClient.OpenAsync(shop.App.Http, "/events/live", $"{int.MaxValue}");
        var record = (await line.NextEventAsync())!;

        var document = await ReadAsync();
        var (check, message) = (
            new SchemaCheck(new ApiDescription(document)), document["components"]!["messages"]![record.Event!]!);
        check.Errors(message["payload"]!, JsonNode.Parse(record.Data!)).ShouldBeEmpty();
        check.Errors(message["payload"]!, message["examples"]![0]!["payload"]).ShouldBeEmpty();
        check.Errors(message["payload"]!, JsonNode.Parse("""{"error":{"code":"unknown","after":1,"traceId":""}}"""))
            .ShouldNotBeEmpty();
    }

    [Fact]
    public async Task An_invalid_event_does_not_match_the_schema()
    {
        var document = await ReadAsync();
        var check = new SchemaCheck(new ApiDescription(document));
        var (payload, example) = (
            document["components"]!["messages"]!["products.batch"]!["payload"]!,
            document["components"]!["messages"]!["products.batch"]!["examples"]![0]!["payload"]!);
        check.Errors(payload, example).ShouldBeEmpty();

        (string, JsonNode)[] wrong =
        [
            ("subject", "orders/17"), ("type", "apexshop.order.placed"), ("sequence", "17"),
            ("data", new JsonObject { ["id"] = 17 }),
        ];
        foreach (var (member, value) in wrong)
        {
            var other = example.DeepClone();
            other[0]![member] = value;
            check.Errors(payload, other).ShouldNotBeEmpty(member);
        }
    }

    [GeneratedRegex(@"\{(\w+)\}")]
    private static partial Regex Variable();

    private static IEnumerable<string> OneOf(JsonNode schema) =>
        schema["oneOf"]!.AsArray().Select(one => ((string)one!["$ref"]!).Split('/')[^1]);

    private static List<(string Name, JsonNode Value)> Map(JsonNode? node) =>
        [.. ((JsonObject?)node ?? []).Select(member => (member.Key, member.Value!))];

    private static void ShouldBe(string kind, JsonNode node)
    {
        var (must, may) = objects[kind];
        var members = node.AsObject().Select(member => member.Key).ToList();
        must.Except(members).ShouldBeEmpty($"{kind} lacks a member");
        members.Except(must).Except(may).ShouldBeEmpty($"{kind} has a member that is not in the specification");
    }

    private async Task<JsonObject> ReadAsync() =>
        JsonNode.Parse(await shop.App.Http.GetStringAsync("/asyncapi.json"))!.AsObject();
}
