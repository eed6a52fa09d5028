using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands;

internal static class ResultsRegistration
{
    public static void AddResults(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<PublicUrlsOptions>().Bind(configuration.GetSection(PublicUrlsOptions.Section)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<PublicUrlsOptions>, PublicUrlsValidator>();
        services.AddSingleton<Answers>();
    }
}
