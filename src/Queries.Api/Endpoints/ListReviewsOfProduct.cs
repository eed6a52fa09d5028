using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Requests;
using ApexShop.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /products/{id}/reviews: the response of the query for a page of reviews with this productId; 404 without the
/// product.
/// </summary>
internal sealed class ListReviewsOfProduct(
    DocumentCache products,
    SharedCachingRules shared,
    Func<HttpContext, CachedResponse?> find,
    Func<HttpContext, Task<Problem?>> handle)
{
    private const string Filter = "productId";

    /// <summary>Adds the filter by product to the request, as if the caller had sent it.</summary>
    public RequestDelegate MakeDelegate(ReadModel reviews, QueryDelegates query)
    {
        var list = query.Cached(reviews, FindCached, HandleAsync);
        return http =>
        {
            var id = (string)http.Request.RouteValues["id"]!;
            http.Request.QueryString = http.Request.QueryString.Add(Filter, id);
            // The deletion of the product, after which the response is 404, raises no tag of its reviews.
            if (shared.AreOn) http.Response.OnStarting(AddProductKey, http);
            return list(http);
        };
    }

    private static Task AddProductKey(object state)
    {
        var (headers, id) = (((HttpContext)state).Response.Headers, ((HttpContext)state).Request.RouteValues["id"]);
        if (headers["Surrogate-Key"] is [{ } keys]) headers["Surrogate-Key"] = $"{keys} {Resource.Products.Name}:{id}";
        return Task.CompletedTask;
    }

    private CachedResponse? FindCached(HttpContext http) =>
        RouteParameters.IdOf(http.Request) is { } id && products.Find(id) is not null ? find(http) : null;

    private async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (RouteParameters.IdOf(http.Request) is not { } id)
            return new QueryParameters(QueryCollection.Empty).ProblemWith("id", WholeNumber.Rule);
        var product = await products.GetAsync(id, ConsistencyGate.HasToken(http.Request), http.RequestAborted);
        return product is null ? Problem.NotFound("product", id) : await handle(http);
    }
}
