using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Access;

/// <summary>
/// The caller that a rate limit counts: the name of the API key, or the address when no key is valid.
/// </summary>
public static class CallerIdentity
{
    // The first character keeps names and addresses apart.
    public static string Of(HttpContext http) => http.User.Identity is { IsAuthenticated: true, Name: var name }
        ? "@" + name
        : "#" + NetworkOf(http.Connection.RemoteIpAddress);

    // A client with one IPv6 address usually controls its whole /64 network.
    private static string NetworkOf(IPAddress? address) => address switch
    {
        null => "",
        { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false } =>
            Convert.ToHexString(address.GetAddressBytes().AsSpan(0, 8)),
        _ => address.MapToIPv4().ToString(),
    };
}
