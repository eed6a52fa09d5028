using System.Net.Sockets;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Streaming;
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
            await BreakOffAsync(http, exception);
        }
        catch (Exception exception)
        {
            await AnswerAsync(http, exception);
        }
    }

    private async Task BreakOffAsync(HttpContext http, Exception exception)
    {
        var path = http.Request.Path;
        var place = http.Features.Get<StreamPlace>();
        if (exception is StreamStoppedException) Log.StreamStopped(logger, path);
        else if (place is not null) Log.ExportBroken(logger, path, exception);
        else Log.StreamBroken(logger, path, exception);

        // Without a place the status is spent; a closed connection is the only way left to say that this is not the
        // whole answer.
        if (place is null) http.Abort();
        else await ErrorLine.WriteAsync(http, ProblemOf(exception).Code, place.AfterId);
    }

    private Task AnswerAsync(HttpContext http, Exception exception)
    {
        var problem = ProblemOf(exception);
        if (exception is StreamStoppedException)
        {
            Log.StreamStopped(logger, http.Request.Path);
        }
        else if (problem.Status == StatusCodes.Status503ServiceUnavailable)
        {
            Log.DatabaseUnavailable(logger, http.Request.Method, http.Request.Path, exception);
        }
        else if (problem.Status == StatusCodes.Status500InternalServerError)
        {
            Log.RequestFailed(logger, http.Request.Method, http.Request.Path, exception);
        }

        return problem.WriteAsync(http);
    }

    // Besides a lost or refused connection: no free one in time, a server that starts or stops, a statement cut short.
    private static Problem ProblemOf(Exception exception) => exception switch
    {
        BadHttpRequestException bad => new Problem(bad.StatusCode, "request.malformed"),
        StreamStoppedException => Problem.Stopping(),
        PostgresException { IsTransient: false, SqlState: not PostgresErrorCodes.QueryCanceled } => Problem.Internal(),
        NpgsqlException or SocketException => Problem.Unavailable(),
        _ => Problem.Internal(),
    };
}
