namespace ApexShop.Commands.Api.Commands.Idempotency;

internal static class IdempotencyRegistration
{
    public static void AddIdempotency(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<IdempotencyOptions, IdempotencyOptionsValidator>()
            .BindConfiguration(IdempotencyOptions.Section);
        services.AddScoped<IdempotencyKey>();
        services.AddScoped<StoredResponses>();
        services.AddHostedService<ExpiredResponseCleanup>();
    }
}
