using System.Security.Claims;
using ApexShop.Access;

namespace ApexShop.Resources;

/// <summary>The scopes that are needed to read the states of resources, in documents or in events.</summary>
public static class ReadScopes
{
    /// <summary>Those that the caller does not have.</summary>
    public static string[] MissingTo(ClaimsPrincipal caller, params IEnumerable<Resource> resources) =>
        [.. resources.Select(resource => resource.ReadScope).OfType<string>().Where(scope => !caller.HasScope(scope))];
}
