using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Operations.Actions;
using ApexShop.Commands.Api.Webhooks.Delivering;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Webhooks;

internal static class WebhookRoutes
{
    private static readonly Problem off = new(
        StatusCodes.Status503ServiceUnavailable, "webhook.off", "There are no webhooks: Webhooks:Key is not set.");

    public static void MapWebhooks(this IEndpointRouteBuilder app)
    {
        var webhooks = app.MapGroup("/admin/webhooks").WithTags("admin").AddEndpointFilter(CheckAsync)
            .ProducesProblem(StatusCodes.Status503ServiceUnavailable);
        ListWebhooks.Map(webhooks);
        CreateWebhook.Map(webhooks);
        GetWebhook.Map(webhooks);
        ReplaceWebhook.Map(webhooks);
        DeleteWebhook.Map(webhooks);
        RenewWebhookSecret.Map(webhooks);
        TestWebhook.Map(webhooks);
        ListUndelivered.Map(webhooks);
        ReplayUndelivered.Map(webhooks);
        DiscardUndelivered.Map(webhooks);
    }

    // What an operator does is recorded before it is done. A key that decides where the events of a webhook are sent,
    // when, and with which secret, must be permitted to read them.
    private static async ValueTask<object?> CheckAsync(
        EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        var http = context.HttpContext;
        if (!http.RequestServices.GetRequiredService<IOptions<WebhookOptions>>().Value.IsOn)
            return CommandResponses.ToHttp(off);
        if (!HttpMethods.IsGet(http.Request.Method))
        {
            var name = http.GetEndpoint()!.Metadata.GetRequiredMetadata<IEndpointNameMetadata>().EndpointName;
            await http.RequestServices.GetRequiredService<OperatorActions>()
                .RecordAsync(name, http.Request.Path, http.RequestAborted);
        }

        var decides = HttpMethods.IsPost(http.Request.Method) || HttpMethods.IsPut(http.Request.Method);
        if (decides && context.Arguments is [int id, ..] && await RefusalAsync(http, id) is { } refusal)
            return CommandResponses.ToHttp(refusal);
        return await next(context);
    }

    private static async Task<Problem?> RefusalAsync(HttpContext http, int id)
    {
        var table = http.RequestServices.GetRequiredService<ReceiverTable>();
        return await table.TypesAsync(id, http.RequestAborted) is { } types
            ? WebhookInput.Refusal(http.User, types)
            : WebhookInput.NotFound(id);
    }
}
