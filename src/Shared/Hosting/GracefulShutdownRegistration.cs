using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Lets a process end by <see cref="GracefulShutdown"/>.</summary>
public static class GracefulShutdownRegistration
{
    private const int ProductionDrainSeconds = 5;

    public static void AddGracefulShutdown(this IHostApplicationBuilder builder)
    {
        var (services, environment) = (builder.Services, builder.Environment);
        services.AddOptions<StoppingOptions>()
            .Bind(builder.Configuration.GetSection(StoppingOptions.Section))
            .PostConfigure(stopping => stopping.DrainSeconds ??= environment.IsDevelopment() ? 0 : ProductionDrainSeconds)
            .ValidateOnStart();
        services.AddSingleton<IValidateOptions<StoppingOptions>, StoppingOptionsValidator>();
        services.AddOptions<HostOptions>().Configure<IOptions<StoppingOptions>>((host, stopping) =>
        {
            host.ShutdownTimeout = TimeSpan.FromSeconds(stopping.Value.RequestSeconds);
            // A leader gives its lock back and a consumer its queue while long requests still end.
            host.ServicesStopConcurrently = true;
        });
        services.AddSingleton<GracefulShutdown>();
        services.AddSingleton<IHostLifetime>(provider => provider.GetRequiredService<GracefulShutdown>());
    }

    /// <summary>Stands first: whoever answers, a connection that is kept alive is told to go elsewhere.</summary>
    public static void UseGracefulShutdown(this WebApplication app)
    {
        var stop = app.Services.GetRequiredService<GracefulShutdown>();
        app.Use((http, next) =>
        {
            // HTTP/2 has no such header; the server says goodbye by itself when it closes.
            if (stop.IsStopping && http.Request.Protocol == HttpProtocol.Http11) http.Response.OnStarting(CloseAsync, http.Response);
            return next(http);
        });
    }

    private static Task CloseAsync(object response)
    {
        ((HttpResponse)response).Headers.Connection = "close";
        return Task.CompletedTask;
    }
}
