using System.Net;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Hosting;

/// <summary>Connections between the processes of a shop.</summary>
public static class PeerConnections
{
    /// <summary>
    /// Connects directly, also where the environment names a proxy, which would get the API key; and reports a reset
    /// connection like every other failure.
    /// </summary>
    public static IHttpClientBuilder AddPeerConnections(this IHttpClientBuilder client) => client
        .UseSocketsHttpHandler((connections, _) => connections.UseProxy = false)
        .AddHttpMessageHandler(() => new ConnectionResetHandler());

    /// <summary>
    /// Whether another process of the same kind may serve a request that changes nothing: this one may have lost its
    /// own way to the database, or a proxy its way to this one.
    /// </summary>
    public static bool IsUnavailable(HttpStatusCode status) => status
        is HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout;
}
