using System.Text;
using System.Text.Json.Nodes;
using ApexShop.Events;
using ApexShop.Messaging;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Events;

/// <summary>What is in a message of the queue and in a record of the line, with an example of each.</summary>
internal static class AsyncApiMessages
{
    public const string AnyEvent = "event";

    public static string Batch(string resource) => resource + ".batch";

    public static JsonObject Schema(string name) => Reference($"schemas/{name}");

    public static JsonObject Message(string name) => Reference($"messages/{name}");

    public static JsonObject OneOf(IEnumerable<EventType> types) =>
        new() { ["oneOf"] = new JsonArray([.. types.Select(type => (JsonNode)Schema(type.Name))]) };

    public static JsonObject BatchOf(string resource) => new()
    {
        ["type"] = "array",
        ["minItems"] = 1,
        ["maxItems"] = Topology.MaxEventsPerMessage,
        ["items"] = OneOf(EventTypes.All.Where(type => type.Resource == resource)),
    };

    public static JsonObject Make()
    {
        var messages = new JsonObject();
        foreach (var resource in Resource.Names)
        {
            messages[Batch(resource)] = Message(
                Batch(resource), $"Events of {resource} by position, one when little happens and many under load.", Topology.ContentType, new JsonArray(Example(resource)));
        }

        messages[AnyEvent] = Message(AnyEvent, "One event: the data of a record, whose id is the position and whose event is the type.", "application/json", Example(Resource.Products.Name));
        return messages;
    }

    private static JsonObject Message(string name, string summary, string contentType, JsonNode example) => new()
    {
        ["name"] = name,
        ["title"] = name,
        ["summary"] = summary,
        ["contentType"] = contentType,
        ["payload"] = Schema(name),
        ["examples"] = new JsonArray(new JsonObject { ["name"] = "gone", ["payload"] = example }),
    };

    // Written as every event is: the smallest one there is.
    private static JsonNode Example(string resource)
    {
        var type = EventTypes.All.Single(type => type.Resource == resource && type.Data == typeof(DeletedState));
        var entry = new LogEntry(
            4_711, 4_709, new Guid("019e9f0a-6f0e-7cc3-98c4-dc0c0c07398f"), type.Name, resource, 17, new DateTimeOffset(2026, 11, 20, 8, 0, 0, TimeSpan.Zero),
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", """{"id":17,"version":3}"""u8.ToArray());
        var written = new System.Buffers.ArrayBufferWriter<byte>();
        CloudEvents.Write(written, entry);
        return JsonNode.Parse(Encoding.UTF8.GetString(written.WrittenSpan))!;
    }

    private static JsonObject Reference(string component) => new() { ["$ref"] = $"#/components/{component}" };
}
