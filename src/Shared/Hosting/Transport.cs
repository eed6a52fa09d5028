using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Whose request it is and whether it came over HTTPS, and in Production what follows from that.</summary>
public static class Transport
{
    public static void AddTransport(this WebApplicationBuilder builder)
    {
        var services = builder.Services;
        services.AddOptions<TransportOptions>().Bind(builder.Configuration.GetSection(TransportOptions.Section)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<TransportOptions>, TransportOptionsValidator>();
        services.AddSingleton<IValidateOptions<TransportOptions>, ProxyValidator>();
        services.AddHttpsRedirection(redirect => redirect.RedirectStatusCode = StatusCodes.Status308PermanentRedirect);
        services.AddHsts(_ => { });
        services.AddOptions<Microsoft.AspNetCore.HttpsPolicy.HstsOptions>().Configure<IOptions<TransportOptions>>(
            (hsts, transport) => hsts.MaxAge = TimeSpan.FromDays(transport.Value.HstsDays));
    }

    /// <summary>Stands before everything that asks who is calling.</summary>
    public static void UseTransport(this WebApplication app)
    {
        var options = app.Services.GetRequiredService<IOptions<TransportOptions>>().Value;
        if (options.KnownProxies.Any()) app.UseForwardedHeaders(Believed(options));
        if (!app.Environment.IsProduction()) return;
        if (options.HstsDays > 0) app.UseHsts();
        if (!options.RedirectToHttps) return;

        // The addresses are known once the server listens. Behind a proxy that ends TLS there is no HTTPS endpoint here,
        // and redirecting is the proxy's, who sees the plain request first and knows its own port.
        var hasHttps = new Lazy<bool>(() => ListensToHttps(app.Services.GetRequiredService<IServer>()));
        app.UseWhen(http => !http.Request.IsHttps && hasHttps.Value, plain => plain.UseHttpsRedirection());
    }

    private static ForwardedHeadersOptions Believed(TransportOptions options)
    {
        var believed = new ForwardedHeadersOptions
        {
            ForwardedHeaders = ForwardedHeaders.XForwardedFor | ForwardedHeaders.XForwardedProto,
            ForwardLimit = options.ProxyHops,
        };
        // The framework trusts the loopback unless told otherwise.
        believed.KnownProxies.Clear();
        believed.KnownIPNetworks.Clear();
        foreach (var proxy in options.KnownProxies)
        {
            if (TransportOptions.IsNetwork(proxy, out var network)) believed.KnownIPNetworks.Add(network);
        }

        return believed;
    }

    private static bool ListensToHttps(IServer server) =>
        server.Features.Get<IServerAddressesFeature>()?.Addresses.Any(address => address.StartsWith("https://", StringComparison.OrdinalIgnoreCase)) == true;
}
