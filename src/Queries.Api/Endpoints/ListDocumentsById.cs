using System.Globalization;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /R/batch?ids=: documents by their ids, in the order of the ids, and which of the ids have none. Those that are
/// not in memory are read in one round trip.
/// </summary>
internal sealed class ListDocumentsById(ReadModel resource, DocumentCache documents)
{
    /// <summary>Most ids of a request.</summary>
    public const int Most = PageRequest.MaxSize;

    private const string Parameter = "ids";

    private static readonly string rule = string.Create(
        CultureInfo.InvariantCulture, $"must be 1 to {Most} different ids with commas between them.");

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMediaTypes.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(http.Request.Query);
        var ids = IdsFrom(query);
        var fields = FieldSelection.From(resource, query);
        if (query.Problem() is { } problem) return problem;

        var isFresh = ConsistencyGate.HasToken(http.Request);
        var found = await Task.WhenAll(ids.Select(id => documents.GetAsync(id, isFresh, http.RequestAborted)));
        using var list = Write(http, ids, found);
        var body = fields?.OfList(list.Written.Span) ?? list.Written.ToArray();
        await JsonResponse.WriteAsync(http, resource, CachedResponse.Of(body));
        return null;
    }

    private static List<int> IdsFrom(QueryParameters query)
    {
        if (query.Text(Parameter) is not { } text)
        {
            query.Refuse(Parameter, rule);
            return [];
        }

        var ids = new List<int>();
        foreach (var part in text.Split(',', Most + 1))
        {
            var isId = WholeNumber.TryParse(part, out var id) && id <= int.MaxValue;
            if (!isId || ids.Contains((int)id) || ids.Count == Most)
            {
                query.Refuse(Parameter, rule);
                return [];
            }

            ids.Add((int)id);
        }

        return ids;
    }

    private PooledBuffer Write(HttpContext http, List<int> ids, CachedResponse?[] found)
    {
        var list = PageWriter.Open();
        var missing = new List<int>();
        foreach (var (id, document) in ids.Zip(found))
        {
            if (document is null || !OwnDocuments.Include(http, resource, document))
            {
                missing.Add(id);
                continue;
            }

            list.Append(document.Body.Span);
            list.Append((byte)',');
        }

        if (missing.Count < ids.Count) list.DropLast();
        list.Append($"],\"missing\":[{string.Join(',', missing)}]}}");
        return list;
    }
}
