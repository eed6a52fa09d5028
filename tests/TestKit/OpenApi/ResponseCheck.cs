using System.Text.Json.Nodes;
using ApexShop.TestKit.HttpFiles;

namespace ApexShop.TestKit.OpenApi;

/// <summary>
/// Holds check to the document: status, content type, every member of the body, every header of ours.
/// </summary>
public sealed class ResponseCheck(ApiDescription description)
{
    // The server and HTTP itself add these: they are not part of the contract of one operation.
    private static readonly HashSet<string> everywhere = new(
        [
            "Date", "Content-Type", "Content-Length", "Transfer-Encoding", "Connection", "Cache-Control", "Pragma",
            "Expires", "X-Accel-Buffering", "X-Content-Type-Options",
        ],
        StringComparer.OrdinalIgnoreCase);

    private readonly Dictionary<string, HashSet<string>> seen = [];
    private readonly IReadOnlyList<DescribedOperation> operations = description.Operations;

    public ApiDescription Description => description;

    public HashSet<string> Wrong { get; } = [];

    public IReadOnlyCollection<string> Seen(DescribedOperation operation) => seen.GetValueOrDefault(operation.Id) ?? [];

    public DescribedOperation? Find(FilledRequest request) => operations
        .Where(operation => operation.Method == request.Method && HttpFile.Reaches(operation.Path, request.Path))
        .MinBy(operation => operation.Path.Count(character => character == '{'));

    public Task CheckAsync(FilledRequest request, HttpResponseMessage response, string text)
    {
        if (Find(request) is not { } operation) return Task.CompletedTask;
        var status = (int)response.StatusCode;
        if (!seen.TryGetValue(operation.Id, out var statuses)) seen[operation.Id] = statuses = [];
        statuses.Add($"{status}");
        var errors = operation.Response(status) is { } answer
            ? Errors(answer, response, request.Method == "HEAD" ? null : text)
            : ["is not described"];
        foreach (var error in errors) Wrong.Add($"{operation} {status}: {error}");
        return Task.CompletedTask;
    }

    private IEnumerable<string> Errors(JsonObject answer, HttpResponseMessage response, string? text)
    {
        var described = ((JsonObject?)answer["headers"] ?? []).ToDictionary(
            header => header.Key, header => description.Resolve(header.Value!), StringComparer.OrdinalIgnoreCase);
        var sent = response.Headers.Concat(response.Content.Headers).Select(header => header.Key)
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        var required = described.Where(header => (bool?)header.Value["required"] == true).Select(header => header.Key);
        foreach (var name in required.Except(sent)) yield return $"lacks the header {name}";
        foreach (var name in sent.Except(described.Keys).Except(everywhere)) yield return $"has the header {name}";

        if (text is null) yield break;
        var type = response.Content.Headers.ContentType?.MediaType;
        if (answer["content"] is not JsonObject content)
        {
            if (text.Length > 0) yield return $"has a body: {text}";
            yield break;
        }

        if (content[type ?? ""] is not { } media)
        {
            yield return $"is {type}";
            yield break;
        }

        var check = new SchemaCheck(description);
        foreach (var error in Values(type!, text).SelectMany(value => check.Errors(media["schema"]!, value)))
            yield return error;
        if (type == "application/problem+json")
            foreach (var error in Unlike((JsonObject)media["example"]!, JsonNode.Parse(text)!.AsObject()))
                yield return error;
    }

    private static IEnumerable<JsonNode?> Values(string type, string text) => type switch
    {
        "application/x-ndjson" =>
            text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonNode.Parse(line)),
        // Other tests decode it.
        "application/x-msgpack" => [],
        "text/plain" or "text/event-stream" => [JsonValue.Create(text)],
        _ => [JsonNode.Parse(text)],
    };

    // The example of a status is one of its check: what depends on the status alone is the same in all of them.
    private static IEnumerable<string> Unlike(JsonObject example, JsonObject problem) =>
        ((string[])["type", "title", "status"]).Where(member => !JsonNode.DeepEquals(example[member], problem[member]))
            .Select(member => $"its {member} is not that of the example");
}
