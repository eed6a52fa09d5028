using System.Text.Json.Nodes;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Events;

/// <summary>Where events come from: a routing key of the exchange for each resource, and the line over HTTP.</summary>
internal static class AsyncApiChannels
{
    private const string Live = "live";
    private const string AmqpBinding = "0.3.0";
    private const string HttpBinding = "0.3.0";

    public static JsonObject Channels(string exchange)
    {
        var channels = new JsonObject();
        foreach (var resource in Resource.Names) channels[resource] = OfResource(resource, exchange);
        channels[Live] = new JsonObject
        {
            ["address"] = "/events/live",
            ["title"] = "Events while they happen",
            ["description"] =
                "Server-sent events: `id` is the position, `event` the type, `data` the event. `Last-Event-ID` or `after` says where to go on; without "
                + "either it begins with what happens next. `resource`, `types` and `aggregate` choose.",
            ["servers"] = new JsonArray(Reference("servers", AsyncApiServers.Commands)),
            ["messages"] = new JsonObject { [AsyncApiMessages.AnyEvent] = AsyncApiMessages.Message(AsyncApiMessages.AnyEvent) },
        };
        return channels;
    }

    public static JsonObject Operations()
    {
        var operations = new JsonObject();
        foreach (var resource in Resource.Names)
        {
            operations[$"publish-{resource}"] = Sends(resource, AsyncApiMessages.Batch(resource), $"Each message is durable and confirmed before the next one of {resource} leaves.", new JsonObject
            {
                ["amqp"] = new JsonObject { ["deliveryMode"] = 2, ["mandatory"] = true, ["bindingVersion"] = AmqpBinding },
            });
        }

        operations["send-live"] = Sends(Live, AsyncApiMessages.AnyEvent, "Sends every event that is asked for once, by position.", new JsonObject
        {
            ["http"] = new JsonObject { ["method"] = "GET", ["query"] = Query(), ["bindingVersion"] = HttpBinding },
        });
        return operations;
    }

    private static JsonObject OfResource(string resource, string exchange) => new()
    {
        ["address"] = resource,
        ["title"] = $"Events of {resource}",
        ["servers"] = new JsonArray(Reference("servers", AsyncApiServers.Broker)),
        ["messages"] = new JsonObject { [AsyncApiMessages.Batch(resource)] = AsyncApiMessages.Message(AsyncApiMessages.Batch(resource)) },
        ["bindings"] = new JsonObject
        {
            ["amqp"] = new JsonObject
            {
                ["is"] = "routingKey",
                ["exchange"] = new JsonObject { ["name"] = exchange, ["type"] = "topic", ["durable"] = true, ["autoDelete"] = false },
                ["bindingVersion"] = AmqpBinding,
            },
        },
    };

    private static JsonObject Sends(string channel, string message, string summary, JsonObject bindings) => new()
    {
        ["action"] = "send",
        ["summary"] = summary,
        ["channel"] = Reference("channels", channel),
        ["messages"] = new JsonArray(new JsonObject { ["$ref"] = $"#/channels/{channel}/messages/{message}" }),
        ["bindings"] = bindings,
    };

    private static JsonObject Query() => new()
    {
        ["type"] = "object",
        ["properties"] = new JsonObject
        {
            ["after"] = new JsonObject { ["type"] = "integer", ["format"] = "int64", ["minimum"] = 0 },
            ["resource"] = OneOf(Resource.Names),
            ["types"] = new JsonObject { ["type"] = "array", ["items"] = OneOf(EventTypes.All.Select(type => type.Name)) },
            ["aggregate"] = new JsonObject { ["type"] = "array", ["items"] = new JsonObject { ["type"] = "string" }, ["maxItems"] = EventQuery.MaxAggregates },
        },
    };

    private static JsonObject OneOf(IEnumerable<string> values) =>
        new() { ["type"] = "string", ["enum"] = new JsonArray([.. values.Select(value => (JsonNode)value)]) };

    private static JsonObject Reference(string kind, string name) => new() { ["$ref"] = $"#/{kind}/{name}" };
}
