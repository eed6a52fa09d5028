using System.Security.Cryptography;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.Extensions.Options;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Commands.Api.Events;

/// <summary>The events in AsyncAPI 3, as a consumer meets them: a channel for each routing key, one for those who follow over HTTP.</summary>
internal sealed class AsyncApiDocument
{
    private static readonly JsonSerializerOptions writing = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly byte[] bytes;
    private readonly EntityTagHeaderValue tag;

    public AsyncApiDocument(IOptions<MessagingOptions> messaging)
    {
        bytes = JsonSerializer.SerializeToUtf8Bytes(Make(messaging.Value.Exchange), writing);
        tag = new EntityTagHeaderValue($"\"{Convert.ToHexStringLower(SHA256.HashData(bytes))[..16]}\"");
    }

    public IResult Serve() => TypedResults.Bytes(bytes, "application/json", entityTag: tag);

    internal static JsonObject Make(string exchange) => new()
    {
        ["asyncapi"] = "3.0.0",
        ["info"] = new JsonObject
        {
            ["title"] = "ApexShop events",
            ["version"] = "v1",
            ["description"] =
                "Everything that changes in the shop, as CloudEvents 1.0. A consumer binds a queue of its own to the exchange by resource; what "
                + "was there before, and what it missed, it reads from `GET /events`. Events of one resource come in the order of `sequence`, "
                + "sometimes twice; `previous` shows a hole. Members may be added to events; what is there stays.",
            ["license"] = new JsonObject { ["name"] = "MIT" },
        },
        ["defaultContentType"] = "application/json",
        ["servers"] = AsyncApiServers.Make(),
        ["channels"] = AsyncApiChannels.Channels(exchange),
        ["operations"] = AsyncApiChannels.Operations(),
        ["components"] = new JsonObject
        {
            ["schemas"] = Schemas(),
            ["messages"] = AsyncApiMessages.Make(),
            ["securitySchemes"] = AsyncApiServers.SecuritySchemes(),
        },
    };

    // A schema for each contract, each type of event, and each message.
    private static JsonObject Schemas()
    {
        var schemas = new JsonObject();
        foreach (var contract in EventTypes.All.Select(type => type.Data).Distinct()) schemas[contract.Name] = EventSchemas.OfData(contract);
        foreach (var type in EventTypes.All) schemas[type.Name] = EventSchemas.OfEvent(type, AsyncApiMessages.Schema(type.Data.Name));
        foreach (var resource in Resource.Names) schemas[AsyncApiMessages.Batch(resource)] = AsyncApiMessages.BatchOf(resource);
        schemas[AsyncApiMessages.AnyEvent] = AsyncApiMessages.OneOf(EventTypes.All);
        return schemas;
    }
}
