using System.Net.Sockets;
using ApexShop.Errors;
using ApexShop.Projector.EventLog;
using Npgsql;

namespace ApexShop.Projector.Hosting;

/// <summary>Adds a stable code and the trace id to every problem response, and gives exceptions their status.</summary>
internal static class ProblemMembers
{
    public static void AddProblems(this IServiceCollection services)
    {
        ProblemWriter.AddTo(services, Complete);
        services.Configure<ExceptionHandlerOptions>(options => options.StatusCodeSelector = StatusOf);
    }

    private static int StatusOf(Exception exception) => exception switch
    {
        BadHttpRequestException refused => refused.StatusCode,
        NpgsqlException { IsTransient: true }
            or PostgresException { InvariantSeverity: RefusedDatabaseLogin.Severity }
            or SocketException
            or TimeoutException
            or EventLogException => StatusCodes.Status503ServiceUnavailable,
        _ => StatusCodes.Status500InternalServerError,
    };

    private static void Complete(ProblemDetailsContext context)
    {
        var problem = context.ProblemDetails;
        if (problem.Status == StatusCodes.Status503ServiceUnavailable)
            context.HttpContext.Response.Headers.RetryAfter = "2";
        problem.Extensions["traceId"] = ProblemText.TraceIdOf(context.HttpContext);
        if (problem.Extensions.ContainsKey("code")) return;
        var refusal = context.Exception switch
        {
            { IsDatabaseFailure: true } when problem.Status == StatusCodes.Status503ServiceUnavailable =>
                new ProblemText("database.unavailable", "The database is unavailable; try again soon."),
            EventLogException => new ProblemText(
                "log.unavailable",
                "The event log is unavailable, ends before the documents, or is not compared with restored documents "
                + "yet; try again soon."),
            _ => ProblemText.Of(problem.Status ?? StatusCodes.Status500InternalServerError),
        };
        problem.Extensions["code"] = refusal.Code;
        problem.Detail ??= refusal.Detail;
    }
}
