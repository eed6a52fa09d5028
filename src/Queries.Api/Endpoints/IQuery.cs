using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>A question whose answers may be kept.</summary>
internal interface IQuery
{
    /// <summary>The answer that memory has, before the question is even looked into; asked of each request, first.</summary>
    Answer? FindKept(HttpContext http);

    /// <summary>Reads the answer and sends it, or says what is wrong.</summary>
    Task<Problem?> HandleAsync(HttpContext http);
}
