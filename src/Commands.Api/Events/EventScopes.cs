using System.Security.Claims;
using ApexShop.Access;
using ApexShop.Commands.Api.Commands;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Which events a caller may read. An event contains the whole state, so it needs the read scope of its resource. A
/// request that selects also other events is refused: without them, a consumer that counts positions would see holes.
/// </summary>
internal static class EventScopes
{
    /// <summary>Null when the caller may read every event that the filter can select.</summary>
    public static Problem? Refusal(ClaimsPrincipal caller, EventFilter filter) =>
        Refusal(caller, Resource.All.Where(resource => filter.MaySelect(resource.Name)));

    /// <summary>The error code for a key that was removed since, or has lost a scope; null while it may read.</summary>
    public static string? FindRefusal(HttpContext http, EventFilter filter)
    {
        if (http.FindCaller() is not { } caller) return "access.key_required";
        return caller.HasScope(Scopes.EventsRead) && Refusal(caller, filter) is null ? null : "access.scope_missing";
    }

    /// <summary>Null when the caller may read the states of these resources.</summary>
    public static Problem? Refusal(ClaimsPrincipal caller, params IEnumerable<Resource> resources)
    {
        var missing = ReadScopes.MissingTo(caller, resources);
        if (missing is []) return null;
        return new Problem(
            StatusCodes.Status403Forbidden,
            "access.scope_missing",
            $"The API key does not have {string.Join(" and ", missing)}, which the selected events need.")
        {
            Extensions = { ["missingScopes"] = missing },
        };
    }
}
