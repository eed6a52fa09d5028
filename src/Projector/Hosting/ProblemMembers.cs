using System.Diagnostics;
using ApexShop.Errors;
using ApexShop.Projector.Batches;
using Npgsql;

namespace ApexShop.Projector.Hosting;

/// <summary>What every problem carries: a stable code and the trace id; and which status an exception has.</summary>
internal static class ProblemMembers
{
    public static void AddProblems(this IServiceCollection services)
    {
        services.AddProblemDetails(options => options.CustomizeProblemDetails = Complete);
        services.Configure<ExceptionHandlerOptions>(options => options.StatusCodeSelector = StatusOf);
    }

    private static int StatusOf(Exception exception) => exception switch
    {
        BadHttpRequestException refused => refused.StatusCode,
        NpgsqlException { IsTransient: true } or EventLogException => StatusCodes.Status503ServiceUnavailable,
        _ => StatusCodes.Status500InternalServerError,
    };

    private static void Complete(ProblemDetailsContext context)
    {
        var problem = context.ProblemDetails;
        if (problem.Status == StatusCodes.Status503ServiceUnavailable) context.HttpContext.Response.Headers.RetryAfter = "2";
        problem.Extensions["traceId"] = Activity.Current?.Id ?? context.HttpContext.TraceIdentifier;
        if (problem.Extensions.ContainsKey("code")) return;
        var refusal = context.Exception switch
        {
            NpgsqlException when problem.Status == StatusCodes.Status503ServiceUnavailable =>
                new ProblemText("database.unavailable", "The database does not answer; try again soon."),
            EventLogException => new ProblemText("log.unavailable", "The event log does not answer; try again soon."),
            _ => ProblemText.Of(problem.Status ?? StatusCodes.Status500InternalServerError),
        };
        problem.Extensions["code"] = refusal.Code;
        problem.Detail ??= refusal.Detail;
    }
}
