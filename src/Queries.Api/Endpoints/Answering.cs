using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// Turns queries into endpoints. They are request delegates: they read the query string themselves, strictly, and
/// nothing has to be generated.
/// </summary>
internal sealed class Answering(ConsistencyGate gate, RequestLimit limit)
{
    /// <summary>
    /// Of answers that may be kept. What memory has is sent before the question is even looked into, and without a limit of
    /// time: it waits for nothing.
    /// </summary>
    public RequestDelegate Kept(Resource resource, Func<HttpContext, Answer?> findKept, Func<HttpContext, Task<Problem?>> handle)
    {
        var read = limit.Around(Read(handle));
        return http => !ConsistencyGate.IsAsked(http.Request) && findKept(http) is { } kept
            ? JsonAnswer.WriteAsync(http, resource, kept)
            : read(http);
    }

    /// <summary>Of answers that are read each time and may take as long as they want.</summary>
    public RequestDelegate Read(Func<HttpContext, Task<Problem?>> handle) => async http =>
    {
        Problem? problem;
        try
        {
            problem = await PassAsync(http, handle);
        }
        // A pool does not notice that the database was restarted until one of its connections is used, and is emptied then.
        // A query changes nothing, so it may be asked again.
        catch (NpgsqlException exception) when (IsLostConnection(exception) && !http.Response.HasStarted)
        {
            PipelineHeaders.ClearOthers(http.Response);
            problem = await PassAsync(http, handle);
        }

        if (problem is not null) await problem.WriteAsync(http);
    };

    private async Task<Problem?> PassAsync(HttpContext http, Func<HttpContext, Task<Problem?>> handle)
    {
        var problem = ConsistencyGate.IsAsked(http.Request) ? await gate.PassAsync(http) : null;
        return problem ?? await handle(http);
    }
    private static bool IsLostConnection(NpgsqlException exception) =>
        exception.InnerException is IOException
        || exception.SqlState is PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown;
}
