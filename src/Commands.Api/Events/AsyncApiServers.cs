using System.Text.Json.Nodes;
using ApexShop.Access;

namespace ApexShop.Commands.Api.Events;

/// <summary>Where a consumer connects to. The addresses are those of a development machine: this process knows only its own way to the broker.</summary>
internal static class AsyncApiServers
{
    public const string Broker = "broker";
    public const string Commands = "commands";

    public static JsonObject Make() => new()
    {
        [Broker] = new JsonObject
        {
            ["host"] = "{address}",
            ["pathname"] = "/{virtualHost}",
            ["protocol"] = "amqp",
            ["protocolVersion"] = "0.9.1",
            ["description"] = "RabbitMQ.",
            ["variables"] = new JsonObject
            {
                ["address"] = Variable("localhost:5672", "Host and port of the broker."),
                ["virtualHost"] = Variable("apexshop", "The virtual host of the shop."),
            },
            ["security"] = new JsonArray(Scheme(Broker)),
        },
        [Commands] = new JsonObject
        {
            ["host"] = "{address}",
            ["protocol"] = "http",
            ["description"] = "Commands.Api, any of its processes.",
            ["variables"] = new JsonObject { ["address"] = Variable("localhost:5100", "Host and port of the commands.") },
            ["security"] = new JsonArray(Scheme(Commands)),
        },
    };

    public static JsonObject SecuritySchemes() => new()
    {
        [Broker] = new JsonObject { ["type"] = "userPassword", ["description"] = "A user of the broker who may read the exchange." },
        [Commands] = new JsonObject { ["type"] = "http", ["scheme"] = "bearer", ["description"] = $"An API key with the scope {Scopes.EventsRead}." },
    };

    private static JsonObject Variable(string example, string description) => new() { ["default"] = example, ["description"] = description };

    private static JsonObject Scheme(string name) => new() { ["$ref"] = $"#/components/securitySchemes/{name}" };
}
