using ApexShop.Consistency;
using MediatR;

namespace ApexShop.Commands.Api.Commands;

internal static class CommandRegistration
{
    public static void AddCommands(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<PublicUrlsOptions, PublicUrlsValidator>()
            .BindConfiguration(PublicUrlsOptions.Section);
        services.AddConsistencyTokens();
        services.AddSingleton<CommandResponses>();
        services.AddSingleton<ConstraintProblems>();
        services.AddSingleton<CommandMetrics>();
        services.AddSingleton<CustomerLimit>();
        services.AddScoped<MergePatch>();
        services.AddScoped<ServiceFactory>(provider => provider.GetRequiredService);
        services.AddScoped<IMediator, Mediator>();
        services.AddScoped(typeof(IPipelineBehavior<,>), typeof(CommandTimer<,>));
        services.AddScoped(typeof(IPipelineBehavior<,>), typeof(CustomerAuthorization<,>));
        foreach (var type in typeof(CommandRegistration).Assembly.GetTypes())
        {
            foreach (var handled in type.GetInterfaces().Where(IsOfCommand)) services.AddScoped(handled, type);
        }
    }

    private static bool IsOfCommand(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() is var generic
        && (generic == typeof(IRequestHandler<,>) || generic == typeof(ICommandPreparation<>));
}
