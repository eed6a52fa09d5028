using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>Sends a finished JSON text; Kestrel itself leaves the body out for HEAD.</summary>
internal static class JsonAnswer
{
    public static async Task WriteAsync(HttpContext http, PooledBuffer json)
    {
        http.Response.ContentType = AcceptedMedia.Json;
        http.Response.ContentLength = json.Length;
        await http.Response.BodyWriter.WriteAsync(json.Written, http.RequestAborted);
    }
}
