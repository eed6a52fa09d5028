using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.HostFiltering;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.AspNetCore.HttpsPolicy;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Forwarded headers of trusted proxies, and in Production HSTS and the redirection to HTTPS.</summary>
public static class TransportSecurity
{
    public static void AddTransport(this WebApplicationBuilder builder)
    {
        var services = builder.Services;
        services.AddOptionsWithValidateOnStart<TransportOptions, TransportOptionsValidator>()
            .BindConfiguration(TransportOptions.Section);
        services.AddSingleton<IValidateOptions<TransportOptions>, ProxyValidator>();
        // Section AllowedHosts: the framework refuses another Host with 400, here without its HTML text.
        services.PostConfigure<HostFilteringOptions>(hosts => hosts.IncludeFailureMessage = false);
        services.AddHttpsRedirection(redirect => redirect.RedirectStatusCode = StatusCodes.Status308PermanentRedirect);
        services.AddHsts(_ => { });
        services.AddOptions<HstsOptions>().Configure<IOptions<TransportOptions>>(
            (hsts, transport) => hsts.MaxAge = TimeSpan.FromDays(transport.Value.HstsDays));
    }

    /// <summary>Must come before every middleware that uses the client's address or the scheme.</summary>
    public static void UseTransport(this WebApplication app)
    {
        var options = app.Services.GetRequiredService<IOptions<TransportOptions>>().Value;
        if (options.TrustedProxies.Any()) app.UseForwardedHeaders(FromTrustedProxies(options));
        if (!app.Environment.IsProduction()) return;
        if (options.HstsDays > 0) app.UseHsts();
        if (!options.RedirectToHttps) return;

        // The addresses are available once the server listens. Behind a proxy that ends TLS this process has no HTTPS
        // endpoint; then the proxy redirects, because only the proxy receives the plain request and has the public
        // port.
        var hasHttps = new Lazy<bool>(() => ListensToHttps(app.Services.GetRequiredService<IServer>()));
        app.UseWhen(
            http => !http.Request.IsHttps && hasHttps.Value && !Probes.IsProbe(http.Request),
            plain => plain.UseHttpsRedirection());
    }

    private static ForwardedHeadersOptions FromTrustedProxies(TransportOptions options)
    {
        var forwarded = new ForwardedHeadersOptions
        {
            ForwardedHeaders = ForwardedHeaders.XForwardedFor | ForwardedHeaders.XForwardedProto,
            ForwardLimit = options.ProxyHops,
        };
        // The framework's default trusts the loopback address.
        forwarded.KnownProxies.Clear();
        forwarded.KnownIPNetworks.Clear();
        foreach (var proxy in options.TrustedProxies)
        {
            if (TransportOptions.IsNetwork(proxy, out var network)) forwarded.KnownIPNetworks.Add(network);
        }

        return forwarded;
    }

    private static bool ListensToHttps(IServer server) =>
        server.Features.Get<IServerAddressesFeature>() is { } listeners
        && listeners.Addresses.Any(address => address.StartsWith("https://", StringComparison.OrdinalIgnoreCase));
}
