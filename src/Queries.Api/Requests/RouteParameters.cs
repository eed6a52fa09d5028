using ApexShop.Requests;

namespace ApexShop.Queries.Api.Requests;

/// <summary>The parameters in the path of a request.</summary>
internal static class RouteParameters
{
    /// <summary>
    /// Null if it is not written as an id: the route's constraint accepts a sign, spaces and leading zeros too.
    /// </summary>
    public static int? IdOf(HttpRequest request) =>
        WholeNumber.TryParse((string)request.RouteValues["id"]!, out var id) ? (int)id : null;
}
