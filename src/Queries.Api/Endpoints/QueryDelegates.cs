using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// Makes request delegates of query handlers. A handler reads the query string itself, strictly, so no parameter
/// binding has to be generated.
/// </summary>
internal sealed class QueryDelegates(ConsistencyGate gate, RequestTimeLimit limit, PauseCheck pause)
{
    /// <summary>
    /// For responses that may be cached. A response in memory is sent before the query string is parsed, and without a
    /// time limit, since it waits for nothing.
    /// </summary>
    public RequestDelegate Cached(
        ReadModel resource, Func<HttpContext, CachedResponse?> find, Func<HttpContext, Task<Problem?>> handle) =>
        pause.Check(http => !ConsistencyGate.HasToken(http.Request) && find(http) is { } cached
            ? JsonResponse.WriteAsync(http, resource, cached)
            : RunInTimeAsync(http, handle));

    /// <summary>For responses that are written again each time.</summary>
    public RequestDelegate Timed(Func<HttpContext, Task<Problem?>> handle) =>
        pause.Check(http => RunInTimeAsync(http, handle));

    /// <summary>For streams: they are never cached and have no time limit.</summary>
    public RequestDelegate WithoutTimeLimit(Func<HttpContext, Task<Problem?>> handle) =>
        pause.Check(http => RunAsync(http, handle));

    private async Task RunInTimeAsync(HttpContext http, Func<HttpContext, Task<Problem?>> handle)
    {
        if (!await TryRunInTimeAsync(http, handle)) await Problem.TimedOut().WriteAsync(http);
    }

    private async Task<bool> TryRunInTimeAsync(HttpContext http, Func<HttpContext, Task<Problem?>> handle)
    {
        using var time = limit.Start(http);
        try
        {
            await RunAsync(http, handle);
            return true;
        }
        catch (OperationCanceledException) when (time.IsOver)
        {
            return false;
        }
    }

    private async Task RunAsync(HttpContext http, Func<HttpContext, Task<Problem?>> handle)
    {
        Problem? problem;
        try
        {
            problem = await PassGateAsync(http, handle);
        }
        // A pool notices that the database was restarted only when one of its connections is used, and is then emptied.
        // A query changes nothing, so it can be repeated.
        catch (NpgsqlException exception) when (IsLostConnection(exception) && !http.Response.HasStarted)
        {
            PipelineHeaders.ClearOthers(http.Response);
            problem = await PassGateAsync(http, handle);
        }

        if (problem is not null) await problem.WriteAsync(http);
    }

    private async Task<Problem?> PassGateAsync(HttpContext http, Func<HttpContext, Task<Problem?>> handle)
    {
        var problem = ConsistencyGate.HasToken(http.Request) ? await gate.WaitAsync(http) : null;
        return problem ?? await handle(http);
    }

    private static bool IsLostConnection(NpgsqlException exception) =>
        exception.InnerException is IOException
        || exception.SqlState is PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown;
}
