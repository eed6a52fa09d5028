using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>An operation of the generated document, with what follows from its shape.</summary>
internal sealed record Operation(string Method, JsonObject Json)
{
    public string Name => (string)Json["operationId"]!;

    public IEnumerable<JsonObject> Parameters =>
        (Json["parameters"] as JsonArray ?? []).Select(parameter => parameter!.AsObject());

    public JsonObject? Body => Json["requestBody"] as JsonObject;

    public JsonObject Responses => Json["responses"]!.AsObject();

    public bool NeedsKey => Json["security"] is JsonArray { Count: > 0 };

    public bool IsStream => Responses["200"]?["content"]?[NdJson.ContentType] is not null;

    /// <summary>Whether it changes aggregates; the operations of an operator do not.</summary>
    public bool IsCommand => Method != "get" && (string)Json["tags"]![0]! != "admin";

    /// <summary>
    /// Whether it reads Idempotency-Key. A stream reports its progress and cannot be replayed; a key belongs to a
    /// caller.
    /// </summary>
    public bool ReadsIdempotencyKey => Method is "post" or "patch" && IsCommand && !IsStream && NeedsKey;

    public void AddParameter(JsonObject parameter)
    {
        if (Json["parameters"] is JsonArray parameters) parameters.Add(parameter);
        else Json["parameters"] = new JsonArray(parameter);
    }

    public bool HasParameter(string member, string value) =>
        Parameters.Any(parameter => (string?)parameter[member] == value);
}
