using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Access;

/// <summary>
/// The caller that a rate limit counts: the name of the API key, or the address when no key is valid. A customer's
/// token permits no more requests than no key does.
/// </summary>
public static class CallerIdentity
{
    // The first character keeps names and addresses apart.
    public static string Of(HttpContext http) => HasKey(http)
        ? "@" + http.User.Identity!.Name
        : "#" + NetworkOf(http.Connection.RemoteIpAddress);

    /// <summary>Whether the request has a valid API key.</summary>
    public static bool HasKey(HttpContext http) =>
        http.User.Identity is { IsAuthenticated: true } && Customer.IdOf(http.User) is null;

    // A client with one IPv6 address usually controls its whole /64 network.
    private static string NetworkOf(IPAddress? address) => address switch
    {
        null => "",
        { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false } =>
            Convert.ToHexString(address.GetAddressBytes().AsSpan(0, 8)),
        _ => address.MapToIPv4().ToString(),
    };
}
