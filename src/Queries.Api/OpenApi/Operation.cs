using System.Text.Json.Nodes;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>One path and what it answers; each takes GET and HEAD.</summary>
internal sealed record Operation(string Path, string Name, string Tag, string Summary)
{
    public IEnumerable<JsonObject> Parameters { get; init; } = [];

    /// <summary>The body of 200 by media type.</summary>
    public IReadOnlyList<(string MediaType, JsonObject Schema)> Content { get; init; } = [];

    public IEnumerable<string> Headers { get; init; } = [];

    public IEnumerable<int> Refusals { get; init; } = [];

    public string? Scope { get; init; }

    public bool IsDeprecated { get; init; }

    /// <summary>Whether the answer has a tag that a client may ask about.</summary>
    public bool HasTag => Headers.Contains("ETag");

    public JsonObject Get() => Build(Name, Summary, Answers(withBody: true));

    /// <summary>The headers that GET would send.</summary>
    public JsonObject Head() => Build($"{Name}Head", $"The headers of the same GET. {Summary}", Answers(withBody: false));

    private JsonObject Build(string name, string summary, JsonObject answers)
    {
        var operation = new JsonObject { ["operationId"] = name, ["tags"] = Json.Words([Tag]), ["summary"] = summary };
        if (IsDeprecated) operation["deprecated"] = true;
        if (Scope is not null) operation["security"] = new JsonArray(new JsonObject { [ApiDocument.Key] = Json.Words([Scope]) });
        if (Parameters.Any()) operation["parameters"] = new JsonArray([.. Parameters.Select(parameter => parameter.DeepClone())]);
        operation["responses"] = answers;
        return operation;
    }

    private JsonObject Answers(bool withBody)
    {
        var done = new JsonObject { ["description"] = "As asked for.", ["headers"] = AnswerHeaders.References(Headers) };
        if (withBody) done["content"] = Json.Members(Content.Select(form => (form.MediaType, (JsonNode)new JsonObject { ["schema"] = form.Schema.DeepClone() })));
        var answers = new JsonObject { ["200"] = done };
        if (HasTag)
        {
            answers["304"] = new JsonObject
            {
                ["description"] = "The client has this very answer.",
                ["headers"] = AnswerHeaders.References(Headers.Where(header => header != "Content-Encoding")),
            };
        }

        foreach (var (status, answer) in ProblemAnswers.Of(Refusals)) answers[status] = answer;
        return answers;
    }
}
