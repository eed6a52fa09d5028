using ApexShop.Access;
using ApexShop.Commands.Api.Admin;
using ApexShop.Commands.Api.Auditing;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Console;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Idempotency;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Pipeline;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Results;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using ApexShop.Hosting;
using ApexShop.Telemetry;
using Microsoft.AspNetCore.Identity;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>A call for each room; nothing else reads configuration.</summary>
internal static class Services
{
    public static void AddShop(this WebApplicationBuilder builder)
    {
        var (services, configuration) = (builder.Services, builder.Configuration);
        builder.AddDevelopmentKey();
        services.AddSingleton(TimeProvider.System);
        builder.AddTelemetry("apexshop-commands");
        services.AddApiKeys();
        services.AddPersistence(configuration.GetConnectionString("Shop"));
        services.AddCommands();
        services.AddIdempotency(configuration);
        services.AddBulk();
        services.AddScoped<ProductStock>();
        services.AddScoped<ShelfStock>();
        services.AddScoped<ProductReplacement>();
        services.AddScoped<ReviewFacts>();
        services.AddScoped<ReviewRemoval>();
        services.AddSingleton<IPasswordHasher<User>, PasswordHasher<User>>();
        services.AddSingleton<PasswordHashes>();
        services.AddLimits(configuration);
        services.AddResults(configuration);
        services.AddOutbox(configuration);
        services.AddEvents(configuration);
        services.AddAdmin(configuration);
        services.AddSingleton<StateChecksums>();
        services.AddConsole(configuration);
        services.AddApiDescription(configuration);
        builder.AddHttp();
    }

    private static void AddHttp(this WebApplicationBuilder builder)
    {
        var services = builder.Services;
        builder.UseShopListeners();
        builder.AddTransport();
        builder.AddGracefulShutdown();
        services.AddProblemDetails(options => options.CustomizeProblemDetails = ProblemMembers.Complete);
        services.AddExceptionHandler<ExceptionMapping>();
        services.AddValidation();
        // Outside Development a body that cannot be read would otherwise be an empty 400.
        services.Configure<RouteHandlerOptions>(options => options.ThrowOnBadRequest = true);
        services.ConfigureHttpJsonOptions(options => JsonInput.Apply(options.SerializerOptions));
    }
}
