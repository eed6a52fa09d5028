using System.Net.Quic;
using ApexShop.Limits;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Configuration;

namespace ApexShop.Hosting;

/// <summary>
/// How both APIs listen. Over TLS the client chooses: HTTP/1.1 or 2, and 3 where the platform has QUIC, which Alt-Svc
/// then tells. Without TLS nothing can be chosen: such a port speaks HTTP/1.1, or what its own endpoint in section
/// <c>Kestrel</c> says.
/// </summary>
public static class KestrelListeners
{
    public static bool HasQuic =>
        (OperatingSystem.IsLinux() || OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()) && QuicListener.IsSupported;

    public static void UseShopListeners(this WebApplicationBuilder builder)
    {
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            RequestHeadLimits.Apply(kestrel.Limits);
        });
        // Without TLS the server warns of protocols that it cannot offer.
        if (HasQuic && IsHttpsAsked(builder.Configuration)) builder.UseHttp3();
    }

    private static void UseHttp3(this WebApplicationBuilder builder) => builder.WebHost.UseQuic().ConfigureKestrel(
        kestrel => kestrel.ConfigureEndpointDefaults(endpoint => endpoint.Protocols = HttpProtocols.Http1AndHttp2AndHttp3));

    private static bool IsHttpsAsked(ConfigurationManager configuration) =>
        !string.IsNullOrEmpty(configuration["HTTPS_PORTS"])
        || IsHttps(configuration["urls"])
        || configuration.GetSection("Kestrel:Endpoints").GetChildren().Any(endpoint => IsHttps(endpoint["Url"]));

    private static bool IsHttps(string? urls) => urls?.Contains("https://", StringComparison.OrdinalIgnoreCase) == true;
}
