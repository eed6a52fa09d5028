using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using ApexShop.Access;
using ApexShop.Caching;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /cache/purges: the keys that a shared cache has to purge, as server-sent events <c>{"keys":["products:17"]}</c>;
/// <c>{"all":true}</c> at the beginning and whenever an announcement may be missing.
/// </summary>
internal static class FollowPurges
{
    private const string MediaType = "text/event-stream";

    private const string All = """{"all":true}""";

    public static void MapPurges(this WebApplication app) => app
        .MapMethods("/cache/purges", [HttpMethods.Get, HttpMethods.Head], Handle)
        .WithName(nameof(FollowPurges))
        .RequireScope(Scopes.EventsRead);

    private static async Task Handle(HttpContext http)
    {
        var feed = http.RequestServices.GetRequiredService<PurgeFeed>();
        using var place = feed.TakePlace(http.User);
        if ((ProblemOf(http.Request) ?? Refusal(feed, place.IsAcquired)) is { } problem)
        {
            await problem.WriteAsync(http);
            return;
        }

        var process = http.RequestServices.GetRequiredService<IHostApplicationLifetime>();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(
            http.RequestAborted, process.ApplicationStopping);
        if (HttpMethods.IsHead(http.Request.Method)) await end.CancelAsync();
        await TypedResults.ServerSentEvents(ItemsAsync(http, feed, end.Token)).ExecuteAsync(http);
    }

    private static Problem? ProblemOf(HttpRequest request) =>
        AcceptedMediaTypes.Choose(request, [MediaType]) is null
            ? Problem.NotAcceptable(MediaType)
            : new QueryParameters(request.Query).Problem();

    private static Problem? Refusal(PurgeFeed feed, bool hasPlace) =>
        !hasPlace ? Problem.TooManyStreams() : feed.IsLive ? null : Problem.PurgesUnavailable();

    private static async IAsyncEnumerable<SseItem<string>> ItemsAsync(
        HttpContext http, PurgeFeed feed, [EnumeratorCancellation] CancellationToken ct)
    {
        await using var purges = feed.FollowAsync(ct).GetAsyncEnumerator(ct);
        // The key may have been removed since the stream began.
        while (await HasNextAsync(purges) && http.FindRefusal() is null)
            yield return new SseItem<string>(Text(purges.Current));
    }

    // The end of the request or of the process is the end of the stream, and no error.
    private static async Task<bool> HasNextAsync(IAsyncEnumerator<IReadOnlyCollection<string>> purges)
    {
        try
        {
            return await purges.MoveNextAsync();
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    private static string Text(IReadOnlyCollection<string> keys) => keys.Contains(CacheTags.Everything)
        ? All
        : $$"""{"keys":[{{string.Join(',', keys.Select(key => $"\"{key}\""))}}]}""";
}
