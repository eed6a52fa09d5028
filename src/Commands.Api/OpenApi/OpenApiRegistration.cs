using ApexShop.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

internal static class OpenApiRegistration
{
    public const string Document = "v1";

    public static void AddApiDescription(this IServiceCollection services)
    {
        services.AddOptions<DocsOptions>().BindConfiguration(DocsOptions.Section);
        services.AddSingleton<ApiDocument>();
        services.AddSingleton<OperationCompleter>();
        services.AddSingleton<SliceComments>();
        services.AddOpenApi(Document, options =>
        {
            options.OpenApiVersion = OpenApiSpecVersion.OpenApi3_1;
            options.CreateSchemaReferenceId = SchemaNames.Of;
            options.AddSchemaTransformer<InputLimits>();
            options.AddSchemaTransformer<StateMembers>();
            options.AddOperationTransformer<StreamLines>();
        });
    }
}
