using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Webhooks.Delivering;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Webhooks;

internal static class WebhookRegistration
{
    public static void AddWebhooks(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<WebhookOptions, WebhookOptionsValidator>()
            .BindConfiguration(WebhookOptions.Section);
        services.AddSingleton<IValidateOptions<WebhookOptions>, PrivateNetworkValidator>();
        services.AddSingleton(new ConstraintProblem(
            "webhooks_url_key", "webhook.url_taken", "Another webhook has this address."));
        services.AddSingleton<WebhookSecrets>();
        services.AddSingleton<WebhookTable>();
        services.AddSingleton<ReceiverTable>();
        services.AddSingleton<UndeliveredTable>();
        services.AddSingleton<ReceiverAddresses>();
        services.AddSingleton<WebhookSender>();
        services.AddSingleton<WebhookMetrics>();
        services.AddSingleton<WebhookClaims>();
        services.AddSingleton<DeliveryQueue>();
        services.AddSingleton<DeliveryResults>();
        services.AddSingleton<WebhookRun>();
        services.AddHostedService<WebhookDispatcher>();
        services.AddHostedService<WebhookGauges>();
    }
}
