using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

internal static class LimitsRegistration
{
    public static void AddLimits(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<LimitOptions>().Bind(configuration.GetSection(LimitOptions.Section)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<LimitOptions>, LimitOptionsValidator>();
        services.AddSingleton<RequestRate>();
        services.AddSingleton<BodyLimit>();
        services.AddRequestTimeouts();
        services.AddSingleton<IConfigureOptions<RequestTimeoutOptions>, RequestTime>();
        services.AddOptions<KestrelServerOptions>().Configure<IOptions<LimitOptions>>((kestrel, limits) =>
            // Not what a body may have (BodyLimit says that), but how much of a refused one is read on for a few seconds:
            // a connection that is closed over unread bytes is reset, and the client never sees why.
            kestrel.Limits.MaxRequestBodySize = Math.Max(limits.Value.BodyBytes, LimitOptions.StreamBytes));
    }
}
