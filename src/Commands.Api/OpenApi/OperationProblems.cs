using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// What can go wrong with an operation: what its shape tells (who may call it, what it takes, what it changes), and what
/// its endpoint says besides.
/// </summary>
internal sealed class OperationProblems : IOpenApiOperationTransformer
{
    public Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        var method = context.Description.HttpMethod!;
        var needsKey = OperationAccess.ScopeOf(context.Description.ActionDescriptor.EndpointMetadata) is not null;
        var said = operation.Responses!.ToLookup(answer => answer.Key[0] == '2');
        var statuses = Statuses(operation, method, needsKey).Union(said[false].Select(answer => answer.Key)).Order().ToList();
        operation.Responses = [];
        foreach (var (status, done) in said[true]) operation.Responses.Add(status, done);
        foreach (var status in statuses)
            operation.Responses[status] = new OpenApiResponseReference(ProblemAnswers.NameOf(status), context.Document);
        return Task.CompletedTask;
    }

    private static IEnumerable<string> Statuses(OpenApiOperation operation, string method, bool needsKey)
    {
        var parameters = operation.Parameters ?? [];
        var hasBody = operation.RequestBody is not null;
        var takesKey = OperationInput.TakesKey(method, operation);
        if (hasBody || takesKey || parameters.Any(parameter => parameter.In == ParameterLocation.Query)) yield return "400";
        if (needsKey) yield return "401";
        if (needsKey) yield return "403";
        if (parameters.Any(parameter => parameter.In == ParameterLocation.Path)) yield return "404";
        if (hasBody) yield return "408";
        // A stream refuses in its lines what it finds out while it runs.
        if (OperationInput.IsCommand(method, operation) && !OperationInput.IsStream(operation)) yield return "409";
        if (parameters.Any(parameter => parameter.Name == "If-Match")) yield return "412";
        if (hasBody) yield return "413";
        if (hasBody) yield return "415";
        if (takesKey) yield return "422";
        yield return "429";
        yield return "500";
        if (needsKey) yield return "503";
    }
}
