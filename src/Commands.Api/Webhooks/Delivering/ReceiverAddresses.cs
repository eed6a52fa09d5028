using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>The address of a receiver is not permitted, and nothing was sent to it.</summary>
internal sealed class AddressNotPermittedException : Exception;

/// <summary>
/// Connects to public addresses only, and to the private networks of the settings. The address that the
/// connection uses is the one that was checked: a name that gets another address in between reaches nothing else.
/// </summary>
internal sealed class ReceiverAddresses(IOptions<WebhookOptions> options)
{
    // RFC 6890 and the registries of IANA: what is not reachable from everywhere, or leads to such an address.
    private static readonly IPNetwork[] special =
    [
        .. new[]
        {
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
            "203.0.113.0/24", "224.0.0.0/3", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
        }.Select(IPNetwork.Parse),
    ];

    private static readonly IPNetwork globalUnicast = IPNetwork.Parse("2000::/3");

    private readonly IPNetwork[] permitted = [.. options.Value.PrivateNetworks.Select(IPNetwork.Parse)];

    /// <summary>Whether requests may be sent to this address; without TLS only in the private networks.</summary>
    public bool IsPermitted(IPAddress address, bool hasTls)
    {
        if (address.IsIPv4MappedToIPv6) address = address.MapToIPv4();
        return permitted.Any(network => network.Contains(address)) || (hasTls && IsPublic(address));
    }

    /// <summary>
    /// Why nothing can ever be sent to this address; null when that depends on the addresses of its host's name.
    /// </summary>
    public string? Refusal(Uri url)
    {
        if (permitted is [] && url.Scheme != Uri.UriSchemeHttps) return "The address must have https.";
        return IPAddress.TryParse(url.DnsSafeHost, out var address)
            && !IsPermitted(address, url.Scheme == Uri.UriSchemeHttps)
            ? "The host is neither public nor in Webhooks:PrivateNetworks."
            : null;
    }

    /// <exception cref="AddressNotPermittedException">The host has no permitted address.</exception>
    public async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken ct)
    {
        var hasTls = context.InitialRequestMessage.RequestUri!.Scheme == Uri.UriSchemeHttps;
        var found = await Dns.GetHostAddressesAsync(context.DnsEndPoint.Host, ct);
        var addresses = Array.FindAll(found, address => IsPermitted(address, hasTls));
        if (addresses is []) throw new AddressNotPermittedException();

        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(addresses, context.DnsEndPoint.Port, ct);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static bool IsPublic(IPAddress address) =>
        (address.AddressFamily == AddressFamily.InterNetwork || globalUnicast.Contains(address))
        && !special.Any(network => network.Contains(address));
}
