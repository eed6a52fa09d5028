using System.Globalization;
using System.Security.Claims;

namespace ApexShop.Access;

/// <summary>
/// The customer whose token a request has. It has no scope, so only a policy that permits customers lets it pass.
/// </summary>
public static class Customer
{
    /// <summary>What the names of customers begin with, and no name of an API key.</summary>
    private const string NamePrefix = "users/";

    /// <summary>What is shown where the name of a customer must not be; no API key has this name.</summary>
    public const string Kind = "customer";

    internal const string ClaimType = "customer";

    /// <summary>The id of the customer; null when the caller has an API key or nothing.</summary>
    public static int? IdOf(ClaimsPrincipal caller) => caller.FindFirst(ClaimType) is { Value: var id }
        ? int.Parse(id, NumberStyles.None, CultureInfo.InvariantCulture)
        : null;

    /// <summary>The name of a customer among the callers and actors.</summary>
    public static string NameOf(int id) => NamePrefix + id.ToString(CultureInfo.InvariantCulture);

    /// <summary>Whether this is the name of a customer, and not of an API key or a process.</summary>
    public static bool IsName(string name) => name.StartsWith(NamePrefix, StringComparison.Ordinal);

    internal static ClaimsPrincipal PrincipalOf(int id)
    {
        var text = id.ToString(CultureInfo.InvariantCulture);
        return new ClaimsPrincipal(new ClaimsIdentity(
            [new Claim(ClaimTypes.Name, NameOf(id)), new Claim(ClaimType, text)], ApiKeyAuthentication.SchemeName));
    }
}
