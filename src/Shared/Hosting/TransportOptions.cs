using System.ComponentModel.DataAnnotations;
using System.Net;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Section <c>Transport</c>: who may stand before the process, and what is said of HTTPS in Production.</summary>
public sealed class TransportOptions
{
    public const string Section = "Transport";

    /// <summary>
    /// Addresses or networks (10.0.0.0/8) of the proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; those
    /// of anybody else are not even read.
    /// </summary>
    public IList<string> Proxies { get; init; } = [];

    /// <summary>How many such proxies a request passes: of a longer list of addresses the last ones count.</summary>
    [Range(1, 10)]
    public int ProxyHops { get; set; } = 1;

    /// <summary>How long a client is to use nothing but HTTPS (Strict-Transport-Security); 0 says nothing.</summary>
    [Range(0, 3650)]
    public int HstsDays { get; set; } = 365;

    /// <summary>Whether a plain request is sent to the HTTPS endpoint, where this process has one.</summary>
    public bool RedirectToHttps { get; set; } = true;

    // An empty line is a setting that a deployment left open.
    internal IEnumerable<string> KnownProxies => Proxies.Where(proxy => proxy.Length > 0);

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

/// <summary>A proxy that cannot be recognised would leave every caller with the proxy's own address.</summary>
internal sealed class ProxyValidator : IValidateOptions<TransportOptions>
{
    public ValidateOptionsResult Validate(string? name, TransportOptions options)
    {
        var wrong = options.KnownProxies.Where(proxy => !TransportOptions.IsNetwork(proxy, out _)).ToList();
        return wrong.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail($"Transport:Proxies: no address and no network: {string.Join(", ", wrong)}.");
    }
}
