using System.Text.Json;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Suggesting;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /products/suggest: texts to search for that complete the last word of <c>q</c>. They are not cached: a new
/// product's words are suggested after a second at most, and at once to a caller with its token.
/// </summary>
internal sealed class SuggestSearches(SuggestionReader suggestions)
{
    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMediaTypes.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(http.Request.Query);
        var typed = query.Text("q");
        if (typed is null) query.Refuse("q", "must be given once and not be empty.");
        else if (ValueKind.SearchText.Parse(typed) is null) query.Refuse("q", ValueKind.SearchText.Rule);
        if (query.Problem() is { } problem) return problem;

        var texts = await suggestions.OfAsync(http, typed!, isFresh: ConsistencyGate.HasToken(http.Request));
        await JsonResponse.WriteAsync(http, CachedResponse.Of(Write(texts)), "no-cache", mayBeCompressed: true);
        return null;
    }

    private static byte[] Write(IReadOnlyList<string> texts)
    {
        using var output = new MemoryStream();
        using (var json = new Utf8JsonWriter(output))
        {
            json.WriteStartObject();
            json.WriteStartArray("data");
            foreach (var text in texts)
            {
                json.WriteStartObject();
                json.WriteString("text", text);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        return output.ToArray();
    }
}
