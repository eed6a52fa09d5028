using ApexShop.Requests;

namespace ApexShop.Queries.Api.Requests;

/// <summary>The id in the path of a request.</summary>
internal static class RouteId
{
    /// <summary>Null if it is not written as an id: the route's constraint accepts a sign, spaces and zeros too.</summary>
    public static int? Of(HttpRequest request) =>
        WholeNumber.TryParse((string)request.RouteValues["id"]!, out var id) ? (int)id : null;
}
