using ApexShop.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

internal static class OpenApiRegistration
{
    public const string Document = "v1";

    public static void AddApiDescription(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<DocsOptions>().Bind(configuration.GetSection(DocsOptions.Section));
        services.AddSingleton<ApiDocument>();
        services.AddSingleton<SliceComments>();
        services.AddOpenApi(Document, options =>
        {
            options.OpenApiVersion = OpenApiSpecVersion.OpenApi3_1;
            options.CreateSchemaReferenceId = SchemaNames.Of;
            options.AddSchemaTransformer<InputLimits>();
            // In this order: what can go wrong follows from what is taken and given.
            options.AddOperationTransformer<OperationText>();
            options.AddOperationTransformer<StreamAnswers>();
            options.AddOperationTransformer<EventsOperation>();
            options.AddOperationTransformer<OperationInput>();
            options.AddOperationTransformer<OperationAnswers>();
            options.AddOperationTransformer<OperationProblems>();
            options.AddOperationTransformer<OperationAccess>();
            options.AddDocumentTransformer<ShopDocument>();
        });
    }
}
