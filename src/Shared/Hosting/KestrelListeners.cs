using System.Net;
using System.Net.Quic;
using System.Net.Sockets;
using ApexShop.Limits;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Hosting;

/// <summary>
/// The listeners of both APIs. With TLS the client chooses HTTP/1.1, HTTP/2 or, where the platform has QUIC, HTTP/3,
/// which Alt-Svc announces. Without TLS a port serves HTTP/1.1, or what its endpoint in section <c>Kestrel</c> sets.
/// </summary>
public static class KestrelListeners
{
    // TCP_NOTSENT_LOWAT of Linux. Otherwise its kernel takes up to 4 MB for a client that reads slowly, and the server
    // may write again only when a third of them has been sent, which lasts longer than MinResponseDataRate permits.
    private const int UnsentOption = 25;
    private const int UnsentBytes = 128 * 1024;

    // TCP_USER_TIMEOUT of Linux. Without it, the connection of a client that vanished stays open for a quarter of an
    // hour, and a follower, which gets few bytes, keeps its place until then. The option also disconnects a client that
    // reads nothing for so long, so its value is at least the time that the settings permit.
    private const int UnacknowledgedOption = 18;
    private const int UnacknowledgedSeconds = 120;

    public static bool HasQuic =>
        (OperatingSystem.IsLinux() || OperatingSystem.IsWindows() || OperatingSystem.IsMacOS())
        && QuicListener.IsSupported;

    public static void UseShopListeners(this WebApplicationBuilder builder)
    {
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            RequestHeadLimits.Apply(kestrel.Limits);
        });
        var stall = Math.Max(
            builder.Configuration.GetValue<int>("Events:StallSeconds"),
            builder.Configuration.GetValue<int>("Streaming:StallSeconds"));
        var unacknowledged = 1000 * Math.Max(UnacknowledgedSeconds, stall);
        builder.Services.Configure<SocketTransportOptions>(
            sockets => sockets.CreateBoundListenSocket = endpoint => Bind(endpoint, unacknowledged));
        // Without TLS the server would log a warning about HTTP/3.
        if (HasHttpsEndpoint(builder.Configuration) && HasQuic) builder.UseHttp3();
    }

    // The sockets of its connections inherit the options.
    private static Socket Bind(EndPoint endpoint, int unacknowledgedMilliseconds)
    {
        var socket = SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint);
        if (endpoint is IPEndPoint && OperatingSystem.IsLinux())
        {
            SetTcp(socket, UnsentOption, UnsentBytes);
            SetTcp(socket, UnacknowledgedOption, unacknowledgedMilliseconds);
        }

        return socket;
    }

    private static void SetTcp(Socket socket, int option, int value) =>
        socket.SetRawSocketOption((int)ProtocolType.Tcp, option, BitConverter.GetBytes(value));

    private static void UseHttp3(this WebApplicationBuilder builder) => builder.WebHost.UseQuic().ConfigureKestrel(
        kestrel => kestrel.ConfigureEndpointDefaults(
            endpoint => endpoint.Protocols = HttpProtocols.Http1AndHttp2AndHttp3));

    private static bool HasHttpsEndpoint(ConfigurationManager configuration) =>
        !string.IsNullOrEmpty(configuration["HTTPS_PORTS"])
        || IsHttps(configuration["urls"])
        || configuration.GetSection("Kestrel:Endpoints").GetChildren().Any(endpoint => IsHttps(endpoint["Url"]));

    private static bool IsHttps(string? urls) =>
        urls?.Contains("https://", StringComparison.OrdinalIgnoreCase) == true;
}
