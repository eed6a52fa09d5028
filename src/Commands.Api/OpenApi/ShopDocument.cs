using ApexShop.Access;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.Extensions.Options;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>What belongs to the API as a whole: what it is, its groups, how keys are sent, and what operations share.</summary>
internal sealed class ShopDocument(IOptions<JsonOptions> json) : IOpenApiDocumentTransformer
{
    private const string About =
        "Everything that changes the shop. What was changed can be read at the queries' address, a few milliseconds later; "
        + "the `Consistency-Token` of an answer makes a query wait for it.";

    private static readonly Dictionary<string, string> groups = new()
    {
        ["products"] = "What the shop sells.",
        ["categories"] = "The shelves products stand on.",
        ["orders"] = "What users bought, from Pending to Delivered.",
        ["reviews"] = "What users say about products.",
        ["users"] = "Who buys.",
        ["events"] = "Everything that was changed, in the order it was.",
        ["admin"] = "The shop as a whole.",
        ["limits"] = "How much a caller may ask for.",
        ["health"] = "Whether this process can work.",
    };

    public Task TransformAsync(OpenApiDocument document, OpenApiDocumentTransformerContext context, CancellationToken ct)
    {
        document.Info = new OpenApiInfo
        {
            Title = "ApexShop commands",
            Version = OpenApiRegistration.Document,
            Description = About,
            License = new OpenApiLicense { Name = "MIT", Identifier = "MIT" },
        };
        // Seen from wherever the document was loaded.
        document.Servers = [new OpenApiServer { Url = "/" }];
        document.AddComponent<IOpenApiSecurityScheme>(OperationAccess.Scheme, new OpenApiSecurityScheme
        {
            Type = SecuritySchemeType.Http,
            Scheme = "bearer",
            Description = $"An API key. Scopes: {string.Join(", ", Scopes.All)}.",
        });
        var problem = new OpenApiSchema();
        ProblemSchema.Apply(problem);
        document.AddComponent<IOpenApiSchema>(ProblemSchema.Name, problem);
        foreach (var (name, header) in AnswerHeaders.All) document.AddComponent<IOpenApiHeader>(name, header);
        ProblemAnswers.AddTo(document, json.Value.SerializerOptions);
        HealthPaths.AddTo(document);
        document.Tags = document.Paths.Values.SelectMany(path => path.Operations!.Values).SelectMany(operation => operation.Tags!)
            .Select(tag => tag.Reference.Id!).Distinct().Select(name => new OpenApiTag { Name = name, Description = groups[name] }).ToHashSet();
        return Task.CompletedTask;
    }
}
