namespace ApexShop.Queries.Api.Requests;

/// <summary>
/// Metadata of an address that people open in a browser: what is sent with 503 in place of the problem. The status and
/// Retry-After are set before.
/// </summary>
internal sealed record UnavailablePage(RequestDelegate Send)
{
    private const string Html = "text/html";

    /// <summary>The page, if the address has one and the client prefers HTML.</summary>
    public static UnavailablePage? Of(HttpContext http) =>
        http.Response.StatusCode == StatusCodes.Status503ServiceUnavailable
        && http.GetEndpoint()?.Metadata.GetMetadata<UnavailablePage>() is { } page
        && AcceptedMediaTypes.Choose(http.Request, ["application/problem+json", Html]) == Html
            ? page
            : null;
}
