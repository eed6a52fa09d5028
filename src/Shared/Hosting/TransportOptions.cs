using System.ComponentModel.DataAnnotations;
using System.Net;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Section <c>Transport</c>: the trusted proxies, and HTTPS in Production.</summary>
public sealed class TransportOptions
{
    public const string Section = "Transport";

    /// <summary>
    /// Addresses or networks (10.0.0.0/8) of the proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted. From
    /// other senders these headers are ignored.
    /// </summary>
    public IList<string> Proxies { get; init; } = [];

    /// <summary>How many proxies a request passes; only so many addresses from the end of the list are used.</summary>
    [Range(1, 10)]
    public int ProxyHops { get; set; } = 1;

    /// <summary>The max-age of Strict-Transport-Security in days; 0 sends no such header.</summary>
    [Range(0, 3650)]
    public int HstsDays { get; set; } = 365;

    /// <summary>Whether a plain request is redirected to the HTTPS endpoint, if this process has one.</summary>
    public bool RedirectToHttps { get; set; } = true;

    // A deployment may leave an entry empty.
    internal IEnumerable<string> TrustedProxies => Proxies.Where(proxy => proxy.Length > 0);

    internal static bool IsNetwork(string text, out IPNetwork network)
    {
        if (IPNetwork.TryParse(text, out network)) return true;
        if (!IPAddress.TryParse(text, out var address)) return false;
        network = new IPNetwork(address, address.GetAddressBytes().Length * 8);
        return true;
    }
}

[OptionsValidator]
internal sealed partial class TransportOptionsValidator : IValidateOptions<TransportOptions>;

/// <summary>Refuses a proxy that is not an address: all callers behind it would share one address.</summary>
internal sealed class ProxyValidator : IValidateOptions<TransportOptions>
{
    public ValidateOptionsResult Validate(string? name, TransportOptions options)
    {
        var invalid = options.TrustedProxies.Where(proxy => !TransportOptions.IsNetwork(proxy, out _)).ToList();
        return invalid.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail(
                $"Transport:Proxies: not an address or a network: {string.Join(", ", invalid)}.");
    }
}
