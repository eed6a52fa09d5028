using System.Net.Sockets;
using ApexShop.Queries.Api.Requests;
using Npgsql;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>What only the server can cause: an exception becomes an answer here and nowhere else.</summary>
internal sealed class ExceptionMapping(ILogger<ExceptionMapping> logger)
{
    public async Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        try
        {
            await next(http);
        }
        catch (OperationCanceledException) when (http.RequestAborted.IsCancellationRequested)
        {
            // The caller is gone: there is nobody to answer and nothing to report.
        }
        catch (Exception exception) when (http.Response.HasStarted)
        {
            // The status is spent; a closed connection is the only way left to say that this is not the whole answer.
            Log.StreamBroken(logger, http.Request.Path, exception);
            http.Abort();
        }
        catch (Exception exception)
        {
            await ProblemOf(http.Request, exception).WriteAsync(http);
        }
    }

    private Problem ProblemOf(HttpRequest request, Exception exception)
    {
        switch (exception)
        {
            case BadHttpRequestException bad:
                return new Problem(bad.StatusCode, "request.malformed");
            case SocketException:
            case NpgsqlException npgsql when IsAway(npgsql):
                Log.DatabaseUnavailable(logger, request.Method, request.Path, exception);
                return Problem.Unavailable();
            default:
                Log.RequestFailed(logger, request.Method, request.Path, exception);
                return new Problem(StatusCodes.Status500InternalServerError, "internal");
        }
    }

    // Besides a lost or refused connection: no free one in time, a server that starts or stops, a statement cut short.
    private static bool IsAway(NpgsqlException exception) =>
        exception is not PostgresException answered
        || answered.IsTransient
        || answered.SqlState == PostgresErrorCodes.QueryCanceled;
}
