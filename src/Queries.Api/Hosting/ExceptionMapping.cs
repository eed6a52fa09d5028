using ApexShop.Errors;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Streaming;
using Npgsql;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>Turns exceptions into error responses; nothing else in this process does.</summary>
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
            // The client has disconnected.
        }
        catch (Exception exception) when (http.Response.HasStarted)
        {
            await EndStreamAsync(http, exception);
        }
        catch (Exception exception)
        {
            await WriteProblemAsync(http, exception);
        }
    }

    private async Task EndStreamAsync(HttpContext http, Exception exception)
    {
        var path = http.Request.Path;
        var progress = http.Features.Get<StreamProgress>();
        if (exception is StreamStoppedException) logger.StreamStopped(path);
        else if (progress is null) logger.StreamBroken(path, exception.Reason, exception.Unexpected);
        else logger.ExportBroken(path, exception.Reason, exception.Unexpected);

        // The status was sent already. An export ends with an error line; for other streams closing the connection is
        // the only way to show that the response is incomplete.
        if (progress is null) http.Abort();
        else await ErrorLine.WriteAsync(http, ProblemOf(exception).Code, progress.AfterId);
    }

    private Task WriteProblemAsync(HttpContext http, Exception exception)
    {
        var problem = ProblemOf(exception);
        if (exception is StreamStoppedException)
        {
            logger.StreamStopped(http.Request.Path);
        }
        else if (problem.Status == StatusCodes.Status503ServiceUnavailable && exception is not SearchBusyException)
        {
            logger.DatabaseUnavailable(http.Request.Method, http.Request.Path, exception.Reason, exception.Unexpected);
        }
        else if (problem.Status == StatusCodes.Status500InternalServerError)
        {
            logger.RequestFailed(http.Request.Method, http.Request.Path, exception);
        }

        return problem.WriteAsync(http);
    }

    // Besides a lost or refused connection: no free connection in time, a server that starts or stops, a statement that
    // an operator cancelled. One that exceeded the time limit of a search has an exception of its own.
    private static Problem ProblemOf(Exception exception) => exception switch
    {
        BadHttpRequestException bad => new Problem(bad.StatusCode, "request.malformed"),
        StreamStoppedException => Problem.Stopping(),
        SearchBusyException => Problem.SearchBusy(),
        SearchTooExpensiveException => Problem.TooExpensive(),
        PostgresException { SqlState: PostgresErrorCodes.QueryCanceled } => Problem.Unavailable(),
        PostgresException { IsTransient: false, InvariantSeverity: not RefusedDatabaseLogin.Severity } =>
            Problem.Internal(),
        // A statement that many callers share is cancelled when its time is over.
        OperationCanceledException => Problem.Unavailable(),
        _ when exception.IsDatabaseFailure => Problem.Unavailable(),
        _ => Problem.Internal(),
    };
}
