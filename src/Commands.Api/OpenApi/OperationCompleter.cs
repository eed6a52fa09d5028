using System.Globalization;
using System.Reflection;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using ApexShop.Access;
using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Commands.Api.Limits;
using ApexShop.OpenApi;
using ApexShop.Resources;
using Microsoft.AspNetCore.Authorization;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// Completes a generated operation: its texts, the scope that it needs, parameters, bodies, error responses.
/// </summary>
internal sealed partial class OperationCompleter(
    SliceComments comments, IOptions<LimitOptions> limits, IOptions<IdempotencyOptions> idempotency)
{
    private readonly JsonObject texts = ApiDocument.Read(
        "texts.json",
        ("resources", string.Join(", ", Resource.Names)),
        ("maxKeyLength", IdempotencyHeader.MaxLength),
        ("keyHours", idempotency.Value.Lifetime.TotalHours.ToString("0.##", CultureInfo.InvariantCulture)));

    public void Apply(Operation operation, EndpointMetadataCollection endpoint, ProblemResponses problems)
    {
        Describe(operation, endpoint);
        if (operation.ReadsIdempotencyKey) operation.AddParameter(new() { ["name"] = IdempotencyHeader.Name });
        foreach (var parameter in operation.Parameters) Complete(parameter);
        if (operation.Body is { } body) RequestBody.Complete(body, operation.IsStream ? null : limits.Value.BulkItems);
        CompleteResponses(operation, problems);
    }

    private void CompleteResponses(Operation operation, ProblemResponses problems)
    {
        var declared = operation.Responses.ToLookup(response => response.Key[0] == '2', response => response.Key);
        foreach (var status in declared[true])
            SuccessResponse.Complete(operation, status, texts["responses"]!.AsObject());
        foreach (var status in declared[false].Union(Problems(operation)).Order())
        {
            operation.Responses.Remove(status);
            operation.Responses[status] = problems.Reference(int.Parse(status, CultureInfo.InvariantCulture));
        }
    }

    // An endpoint without a summary gets its name in words; one without a description gets its slice's comment, after
    // the route.
    private void Describe(Operation operation, EndpointMetadataCollection endpoint)
    {
        var json = operation.Json;
        json["summary"] ??= Capitalized(
            WordStart().Replace(operation.Name, match => " " + match.Value.ToLowerInvariant()).Trim());
        json["description"] ??= CommentOf(endpoint.GetRequiredMetadata<MethodInfo>().DeclaringType!);
        // An empty list: the route is open. Without one, a reader cannot know that this is intended.
        json["security"] = new JsonArray();
        if (endpoint.GetMetadata<IAuthorizeData>()?.Policy is not { } policy) return;
        var permitsCustomers = Scopes.PermitsCustomers(policy, out var scope);
        json["description"] += $" Needs a key with the scope `{scope}`";
        json["description"] += permitsCustomers ? ", or the token of the customer to whom it belongs." : ".";
        var security = new JsonArray(new JsonObject { [ApiDocument.ApiKey] = new JsonArray(scope) });
        if (permitsCustomers) security.Add((JsonNode)new JsonObject { [SharedComponents.Customer] = new JsonArray() });
        json["security"] = security;
    }

    private string CommentOf(Type slice)
    {
        var comment = comments.Of(slice) ?? throw new InvalidOperationException(
            $"{slice.Name} has no summary and no description.");
        return Capitalized(comment[(comment.IndexOf(": ", StringComparison.Ordinal) + 2)..]);
    }

    // The same name has the same meaning everywhere. Optional headers have no example: the page would send it.
    private void Complete(JsonObject parameter)
    {
        if (texts["parameters"]![(string)parameter["name"]!] is not JsonObject text) return;
        foreach (var (member, value) in text)
            if (member != "description" || parameter[member] is null) parameter[member] = value!.DeepClone();
    }

    private static IEnumerable<string> Problems(Operation operation)
    {
        var hasBody = operation.Body is not null;
        // A query parameter that the operation does not have is refused.
        yield return "400";
        if (operation.NeedsKey) yield return "401";
        if (operation.NeedsKey) yield return "403";
        if (operation.HasParameter("in", "path")) yield return "404";
        if (hasBody) yield return "408";
        // A stream reports conflicts in its lines; a login, the only open command, has none.
        if (operation is { IsCommand: true, IsStream: false, NeedsKey: true }) yield return "409";
        if (operation.HasParameter("name", "If-Match")) yield return "412";
        if (hasBody) yield return "413";
        if (hasBody) yield return "415";
        if (operation.ReadsIdempotencyKey) yield return "422";
        yield return "429";
        yield return "500";
        if (operation.NeedsKey) yield return "503";
    }

    private static string Capitalized(string sentence) => char.ToUpperInvariant(sentence[0]) + sentence[1..];

    [GeneratedRegex("[A-Z]")]
    private static partial Regex WordStart();
}
