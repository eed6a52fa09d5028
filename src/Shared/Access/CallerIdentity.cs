using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Access;

/// <summary>Whom a limit counts for: the name of the key, without a known one the address.</summary>
public static class CallerIdentity
{
    // A name and an address are told apart by the sign before them.
    public static string Of(HttpContext http) => http.User.Identity is { IsAuthenticated: true, Name: var name }
        ? "@" + name
        : "#" + NetworkOf(http.Connection.RemoteIpAddress);

    // Whoever has one IPv6 address has the 2^64 of its network.
    private static string NetworkOf(IPAddress? address) => address switch
    {
        null => "",
        { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false } => Convert.ToHexString(address.GetAddressBytes().AsSpan(0, 8)),
        _ => address.MapToIPv4().ToString(),
    };
}
