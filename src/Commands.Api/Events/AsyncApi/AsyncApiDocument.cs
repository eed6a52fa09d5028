using System.Buffers;
using System.Reflection;
using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.Hosting;
using ApexShop.Messaging;
using ApexShop.OpenApi;
using ApexShop.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events.AsyncApi;

/// <summary>
/// The AsyncAPI 3 document of the events, for consumers: a channel for each routing key, and one for the live stream
/// over HTTP. Its texts and fixed parts are the JSON files in this folder, of which resource.json is used once for each
/// resource.
/// </summary>
internal sealed class AsyncApiDocument(IOptions<MessagingOptions> messaging)
{
    private readonly DocumentResponse response = new(Make(messaging.Value.Exchange));

    public IResult Serve() => response.ToHttp();

    internal static JsonObject Make(string exchange)
    {
        var types = EventTypes.All;
        var document = Read(
            "asyncapi",
            ("version", ProductVersion.Number),
            ("resources", new JsonArray([.. Resource.Names])),
            ("eventTypes", new JsonArray([.. types.Select(type => type.Name)])),
            ("maxAggregates", EventQuery.MaxAggregates),
            ("events", SchemasOf(types)),
            ("example", Example(Resource.Products.Name)));
        foreach (var resource in Resource.Names) document.Patch(Part(resource, exchange));

        var schemas = document["components"]!["schemas"]!.AsObject();
        foreach (var contract in types.Select(type => type.Data).Distinct())
            schemas[contract.Name] = EventSchemas.OfData(contract);
        foreach (var type in types)
            schemas[type.Name] = EventSchemas.OfEvent(type, ComponentReferences.ToSchema(type.Data.Name));
        return document;
    }

    private static JsonObject Part(string resource, string exchange) => Read(
        "resource",
        ("resource", resource),
        ("exchange", exchange),
        ("contentType", Topology.ContentType),
        ("maxEvents", Topology.MaxEventsPerMessage),
        ("events", SchemasOf(EventTypes.All.Where(type => type.Resource == resource))),
        ("example", Example(resource)));

    private static JsonArray SchemasOf(IEnumerable<EventType> types) =>
        new([.. types.Select(type => ComponentReferences.ToSchema(type.Name))]);

    // A deletion, since it is the smallest event, written by the code that writes all events.
    private static JsonNode Example(string resource)
    {
        var type = EventTypes.All.Single(type => type.Resource == resource && type.Data == typeof(DeletedState));
        var entry = new LogEntry(
            4_711, 4_709, new Guid("019e9f0a-6f0e-7cc3-98c4-dc0c0c07398f"), type.Name, resource, 17,
            new DateTimeOffset(2026, 11, 20, 8, 0, 0, TimeSpan.Zero),
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", """{"id":17,"version":3}"""u8.ToArray())
        {
            Actor = "catalog-import",
            LogId = "5f2a90c1d37e",
        };
        var written = new ArrayBufferWriter<byte>();
        CloudEvents.Write(written, entry);
        return JsonNode.Parse(written.WrittenSpan)!;
    }

    private static JsonObject Read(string file, params IEnumerable<(string Name, JsonNode Value)> values) =>
        EmbeddedJson.Read(Assembly.GetExecutingAssembly(), $"asyncapi/{file}.json", values);
}
