using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

internal static class LimitsRegistration
{
    public static void AddLimits(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<LimitOptions, LimitOptionsValidator>()
            .BindConfiguration(LimitOptions.Section);
        services.AddSingleton<RequestRateLimit>();
        services.AddSingleton<LoginLimit>();
        services.AddSingleton<BodyLimit>();
        services.AddRequestTimeouts();
        services.AddSingleton<IConfigureOptions<RequestTimeoutOptions>, RequestTimeLimits>();
        services.AddOptions<KestrelServerOptions>().Configure<IOptions<LimitOptions>>((kestrel, limits) =>
            // Not the limit of a body (see BodyLimit), but how much of a refused body the server still reads and
            // discards: closing a connection with unread bytes resets it, and the client would not get the response.
            kestrel.Limits.MaxRequestBodySize = Math.Max(limits.Value.BodyBytes, LimitOptions.StreamBytes));
    }
}
