using ApexShop.Access;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Events.AsyncApi;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Operations;
using ApexShop.Commands.Api.Operations.Console;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using ApexShop.Commands.Api.Webhooks;
using ApexShop.Errors;
using ApexShop.Hosting;
using ApexShop.Telemetry;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Registers every folder's services. The settings that decide what is registered, and the connection strings, are read
/// here; every other setting is a member of options that the folder binds.
/// </summary>
internal static class Services
{
    public static void AddShop(this WebApplicationBuilder builder)
    {
        var services = builder.Services;
        var shop = builder.Configuration.GetConnectionString("Shop");
        builder.AddDevelopmentKey();
        services.AddSingleton(TimeProvider.System);
        builder.AddTelemetry("apexshop-commands");
        services.AddApiKeys();
        services.AddCustomerTokens();
        services.AddPersistence(shop);
        services.AddCommands();
        services.AddIdempotency();
        services.AddBulk();
        services.AddProducts();
        services.AddOrders();
        services.AddReviews();
        services.AddUsers();
        services.AddLimits();
        services.AddOutbox();
        if (builder.Configuration.GetValue($"{OutboxOptions.Section}:{nameof(OutboxOptions.Enabled)}", true))
            services.AddOutboxLeader(shop);
        services.AddEvents(shop);
        services.AddAsyncApi();
        services.AddOperations();
        services.AddConsole();
        services.AddWebhooks();
        services.AddSingleton<LimitTable>();
        services.AddApiDescription();
        builder.AddHttp();
    }

    private static void AddHttp(this WebApplicationBuilder builder)
    {
        var services = builder.Services;
        builder.UseShopListeners();
        builder.AddTransport();
        builder.AddGracefulShutdown();
        services.AddCrossOrigin(CommandCrossOrigin.Rules);
        ProblemWriter.AddTo(services, ProblemMembers.Complete);
        services.AddExceptionHandler<ExceptionMapping>();
        services.AddValidation();
        // Otherwise a body that cannot be read would be an empty 400 outside Development.
        services.Configure<RouteHandlerOptions>(options => options.ThrowOnBadRequest = true);
        services.ConfigureHttpJsonOptions(options => JsonInput.Apply(options.SerializerOptions));
    }
}
