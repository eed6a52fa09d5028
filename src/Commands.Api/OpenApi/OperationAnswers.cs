using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>What an operation answers when it was done: in words, with the headers that carry versions and tokens.</summary>
internal sealed class OperationAnswers : IOpenApiOperationTransformer
{
    public Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        var method = context.Description.HttpMethod;
        foreach (var (status, answer) in operation.Responses!.Where(answer => answer.Key[0] == '2'))
        {
            if (answer is not OpenApiResponse done) continue;
            var isStream = done.Content?.ContainsKey(NdJson.ContentType) is true;
            done.Description = isStream ? "One JSON value a line, as it happens; the schema is that of a line." : Words(status);
            if (done.Content?.TryGetValue(EventsOperation.ServerSent, out var records) is true)
                (done.Description, records.Example) = ("Server-sent events, as they happen.", Examples.Record);
            done.Headers = new Dictionary<string, IOpenApiHeader>();
            if (done.Content?.TryGetValue("application/json", out var json) is true)
            {
                json.Example = Examples.OfAnswer(json.Schema, method!);
                if (json.Schema is OpenApiSchemaReference { Reference.Id: "Saved" }) Add(done, context, AnswerHeaders.ETag);
                if (status == "201" && done.Headers.ContainsKey(AnswerHeaders.ETag)) Add(done, context, AnswerHeaders.Location);
            }

            if (done.Content?.TryGetValue("text/plain", out var text) is true) text.Example = Examples.Metrics;
            if (status == "202") done.Headers.Add(AnswerHeaders.Location, new OpenApiHeaderReference(AnswerHeaders.StatusLocation, context.Document));
            if (isStream) done.Content![NdJson.ContentType].Example = Examples.OfLines(done.Content[NdJson.ContentType].Schema!);
            if (OperationInput.IsCommand(method, operation) && !isStream) Add(done, context, AnswerHeaders.ConsistencyToken);
            if (context.Description.ActionDescriptor.EndpointMetadata.OfType<EventsRead>().Any()) Add(done, context, AnswerHeaders.LogHead);
            if (OperationInput.TakesKey(method, operation)) Add(done, context, AnswerHeaders.Replayed);
            Add(done, context, AnswerHeaders.Rate);
            Add(done, context, AnswerHeaders.RatePolicy);
        }

        return Task.CompletedTask;
    }

    private static void Add(OpenApiResponse answer, OpenApiOperationTransformerContext context, string header) =>
        answer.Headers!.Add(header, new OpenApiHeaderReference(header, context.Document));

    private static string Words(string status) => status switch
    {
        "201" => "Created.",
        "202" => "Begun.",
        "204" => "Deleted.",
        _ => "Done.",
    };
}
