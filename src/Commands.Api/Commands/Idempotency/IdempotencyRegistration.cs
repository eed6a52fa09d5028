using MediatR;

namespace ApexShop.Commands.Api.Commands.Idempotency;

internal static class IdempotencyRegistration
{
    /// <summary>
    /// Comes after the commands: the timer is then the outer behavior, and also measures the commit of a command with
    /// an Idempotency-Key. The check of refusals is the innermost: it keeps a connection, and no preparation must run
    /// while one is kept.
    /// </summary>
    public static void AddIdempotency(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<IdempotencyOptions, IdempotencyOptionsValidator>()
            .BindConfiguration(IdempotencyOptions.Section);
        services.AddScoped(typeof(IPipelineBehavior<,>), typeof(IdempotentCommand<,>));
        services.AddScoped(typeof(IPipelineBehavior<,>), typeof(RefusalCheck<,>));
        services.AddScoped<IdempotencyKey>();
        services.AddScoped<StoredResponses>();
        services.AddHostedService<ExpiredResponseCleanup>();
    }
}
