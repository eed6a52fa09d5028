using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands.Idempotency;

internal static class IdempotencyRegistration
{
    public static void AddIdempotency(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<IdempotencyOptions>().Bind(configuration.GetSection(IdempotencyOptions.Section)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<IdempotencyOptions>, IdempotencyOptionsValidator>();
        services.AddScoped<IdempotencyKey>();
        services.AddScoped<StoredResponses>();
        services.AddHostedService<ExpiredResponseCleanup>();
    }
}
