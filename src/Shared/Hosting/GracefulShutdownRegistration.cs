using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Adds <see cref="GracefulShutdown"/> to a process.</summary>
public static class GracefulShutdownRegistration
{
    private const int DefaultDrainSeconds = 5;

    public static void AddGracefulShutdown(this IHostApplicationBuilder builder)
    {
        var (services, environment) = (builder.Services, builder.Environment);
        services.AddOptionsWithValidateOnStart<StoppingOptions, StoppingOptionsValidator>()
            .BindConfiguration(StoppingOptions.Section)
            .PostConfigure(options => options.DrainSeconds ??= environment.IsDevelopment() ? 0 : DefaultDrainSeconds);
        services.AddOptions<HostOptions>().Configure<IOptions<StoppingOptions>>((host, stopping) =>
        {
            host.ShutdownTimeout = stopping.Value.RequestLimit;
            // A leader releases its lock and a consumer its queue while long requests still end.
            host.ServicesStopConcurrently = true;
        });
        services.AddSingleton<GracefulShutdown>();
        services.AddSingleton<IHostLifetime>(provider => provider.GetRequiredService<GracefulShutdown>());
    }

    /// <summary>
    /// Closes kept-alive connections while the process stops. It must be the first middleware: every response, also one
    /// that another middleware writes, has to have the header.
    /// </summary>
    public static void UseGracefulShutdown(this WebApplication app)
    {
        var shutdown = app.Services.GetRequiredService<GracefulShutdown>();
        app.Use((http, next) =>
        {
            // HTTP/2 has no such header; the server sends GOAWAY when it closes.
            if (shutdown.IsStopping && http.Request.Protocol == HttpProtocol.Http11)
                http.Response.OnStarting(CloseAsync, http.Response);
            return next(http);
        });
    }

    private static Task CloseAsync(object response)
    {
        ((HttpResponse)response).Headers.Connection = "close";
        return Task.CompletedTask;
    }
}
