using System.Globalization;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>Limits a customer to the own documents of a resource that has owners.</summary>
internal static class OwnDocuments
{
    /// <summary>
    /// Adds the filter by owner to a customer's request, as if the customer had sent it: everything later, such as the
    /// key of a cached response or a cursor, is that of the filtered list.
    /// </summary>
    public static RequestDelegate ListOf(ReadModel resource, RequestDelegate list) => resource.Owner is not { } owner
        ? list
        : http => Customer.IdOf(http.User) is not { } id || TryFilter(http.Request, $"{owner}Id", id)
            ? list(http)
            : Problem.OwnOnly().WriteAsync(http);

    /// <summary>Whether the caller may read this document.</summary>
    public static bool Include(HttpContext http, ReadModel resource, CachedResponse document)
    {
        if (resource.Owner is not { } owner || Customer.IdOf(http.User) is not { } id) return true;
        using var json = JsonDocument.Parse(document.Body);
        return json.RootElement.GetProperty(owner).GetProperty("id").GetInt32() == id;
    }

    private static bool TryFilter(HttpRequest request, string filter, int id)
    {
        // The position of another customer's document would show how its amount or date compares with the own ones.
        if (request.Query.ContainsKey("afterId")) return false;

        var own = id.ToString(CultureInfo.InvariantCulture);
        if (request.Query.TryGetValue(filter, out var given)) return given is [{ } one] && one == own;
        request.QueryString = request.QueryString.Add(filter, own);
        return true;
    }
}
