using System.Globalization;
using System.Text.Json.Nodes;
using ApexShop.OpenApi;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>The GET and HEAD operations of one path, expanded from the short form in the JSON files.</summary>
/// <param name="form">The short form: headers by name, a schema by media type, problems by status, the scope.</param>
/// <param name="problems">The error responses to which the operation refers.</param>
/// <param name="parameters">The parameters in full.</param>
internal sealed class Operation(JsonObject form, ProblemResponses problems, JsonArray parameters)
{
    private readonly List<string> headers =
        [.. form["headers"]?.AsArray().Select(header => (string)header!) ?? [], .. ProblemResponses.RateHeaders];

    private string Name => (string)form["operationId"]!;

    private string Summary => (string)form["summary"]!;

    private string? Scope => (string?)form["scope"];

    public JsonObject Get() => Expand(Name, Summary, hasBody: true);

    public JsonObject Head() => Expand($"{Name}Head", $"The headers of the response to GET. {Summary}", hasBody: false);

    private JsonObject Expand(string name, string summary, bool hasBody)
    {
        var operation = new JsonObject
        {
            ["operationId"] = name,
            ["tags"] = form["tags"]!.DeepClone(),
            ["summary"] = summary,
        };
        if (form["deprecated"] is { } deprecated) operation["deprecated"] = deprecated.DeepClone();
        // An empty list: the route is open.
        var security = new JsonArray();
        if (Scope is { } scope) security.Add((JsonNode)new JsonObject { [ApiDocument.Key] = new JsonArray(scope) });
        if (form.ContainsKey("customers"))
            security.Add((JsonNode)new JsonObject { [SharedComponents.Customer] = new JsonArray() });
        operation["security"] = security;
        if (parameters.Count > 0) operation["parameters"] = parameters.DeepClone();
        operation["responses"] = Responses(hasBody);
        return operation;
    }

    private JsonObject Responses(bool hasBody)
    {
        var ok = new JsonObject
        {
            ["description"] = "The response.",
            ["headers"] = ComponentReferences.ToHeaders(headers),
        };
        if (hasBody)
        {
            ok["content"] = new JsonObject(form["content"]!.AsObject().Select(media =>
                KeyValuePair.Create(media.Key, (JsonNode?)new JsonObject { ["schema"] = media.Value!.DeepClone() })));
        }

        var responses = new JsonObject { ["200"] = ok };
        if (headers.Any(header => header is "ETag" or "ETag:CollectionETag"))
        {
            responses["304"] = new JsonObject
            {
                ["description"] = "The client has the current response.",
                ["headers"] = ComponentReferences.ToHeaders(headers.Where(header => header != "Content-Encoding")),
            };
        }

        foreach (var status in Problems())
            responses[status.ToString(CultureInfo.InvariantCulture)] = problems.Reference(status);
        return responses;
    }

    private IEnumerable<int> Problems()
    {
        var own = form["problems"]!.AsArray().Select(status => (int)status!);
        return Scope is null ? own : own.Concat([401, 403]).Order();
    }
}
