using ApexShop.Access;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using ApexShop.Queries.Api.Streaming.Formats;
using ApexShop.Queries.Api.Streaming.Rows;
using ApexShop.Requests;
using ApexShop.Resources;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /users/{id}/export: the documents of one person as a JSON file, {"user": {}, "orders": [], "reviews": []}. It
/// needs the same scope as an erasure: both are done when a person requests it.
/// </summary>
internal sealed class ExportUser(
    DocumentCache users, RowStream rows, ExportRateLimit rate, StreamMetrics metrics)
{
    public static void Map(WebApplication app, QueryDelegates query, DocumentCache users)
    {
        var export = ActivatorUtilities.CreateInstance<ExportUser>(app.Services, users);
        var places = app.Services.GetRequiredService<StreamPlaces>();
        app.MapMethods(
                "/users/{id:int}/export",
                [HttpMethods.Get, HttpMethods.Head],
                places.Limit(query.WithoutTimeLimit(export.ExportAsync)))
            .WithName(nameof(ExportUser))
            .RequireScope(Scopes.UsersErase);
    }

    private async Task<Problem?> ExportAsync(HttpContext http)
    {
        using var open = metrics.Open();
        var request = http.Request;
        if (!AcceptedMediaTypes.AcceptsJson(request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(request.Query);
        if (RouteParameters.IdOf(request) is not { } id) return query.ProblemWith("id", WholeNumber.Rule);
        if (query.Problem() is { } problem) return problem;
        if (await users.ReadAsync(id, http.RequestAborted) is not { } user)
            return Problem.NotFound(Resource.Users.Singular, id);
        var isHead = HttpMethods.IsHead(request.Method);
        if (!isHead && rate.Take(http) is { } refused) return refused;

        var headers = http.Response.Headers;
        headers.ContentType = AcceptedMediaTypes.Json;
        headers.ContentDisposition = $"attachment; filename=user-{id}.json";
        headers.CacheControl = ReadModel.Of(Resource.Users).CacheControl;
        if (isHead) return null;

        byte[] beforeOrders = [.. "{\"user\":"u8, .. user.Body.Span, .. ",\"orders\":"u8];
        await SendAsync(http, Resource.Orders, "customerId", id, beforeOrders);
        await SendAsync(http, Resource.Reviews, "userId", id, [.. ",\"reviews\":"u8]);
        await http.Response.WriteAsync("}", http.RequestAborted);
        return null;
    }

    // Nothing is sent before the first documents are read, so that an unavailable database is still a 503.
    private Task SendAsync(HttpContext http, Resource resource, string filter, int id, byte[] before)
    {
        var format = StreamFormat.JsonArray with { NewWriter = () => new JsonArrayWriter(before) };
        var values = new QueryCollection(new Dictionary<string, StringValues> { [filter] = $"{id}" });
        var list = ListQuery.From(ReadModel.Of(resource), new QueryParameters(values));
        return rows.SendAsync(
            http.Response, format, list, new StreamProgress(ScanStart.Beginning), limit: null,
            http.RequestAborted);
    }
}
