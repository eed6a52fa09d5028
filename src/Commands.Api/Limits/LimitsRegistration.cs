using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

internal static class LimitsRegistration
{
    public static void AddLimits(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<LimitOptions>().Bind(configuration.GetSection(LimitOptions.Section)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<LimitOptions>, LimitOptionsValidator>();
    }
}
