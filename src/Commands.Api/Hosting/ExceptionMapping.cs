using ApexShop.Commands.Api.Commands;
using ApexShop.Errors;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>Turns exceptions into problems; no other code chooses a status for an exception.</summary>
internal sealed class ExceptionMapping(ConstraintProblems constraints, ILogger<ExceptionMapping> logger)
    : IExceptionHandler
{
    private static readonly Problem unavailable = new(
        StatusCodes.Status503ServiceUnavailable, "database.unavailable",
        "The database is unavailable; try again soon.");

    private static readonly Problem failed = new(
        StatusCodes.Status500InternalServerError, "internal", "The request failed because of an error in the server.");

    public async ValueTask<bool> TryHandleAsync(
        HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        // The client has disconnected.
        if (httpContext.RequestAborted.IsCancellationRequested) return true;

        var problem = ToProblem(exception);
        if (ReferenceEquals(problem, failed)) logger.RequestFailed(exception);
        if (ReferenceEquals(problem, unavailable)) logger.DatabaseUnavailable(exception.Reason, exception.Unexpected);
        // The rest of the body is not read, so no other request can follow on the connection.
        if (problem.Status == StatusCodes.Status413PayloadTooLarge) httpContext.Response.Headers.Connection = "close";
        await CommandResponses.ToHttp(problem).ExecuteAsync(httpContext);
        return true;
    }

    private Problem ToProblem(Exception exception) => exception switch
    {
        BadHttpRequestException refused => RequestErrors.ToProblem(refused),
        DbUpdateConcurrencyException => ConstraintProblems.Overtaken,
        PostgresException refused => constraints.ToProblem(refused) ?? (IsUnavailable(refused) ? unavailable : failed),
        // Another service than the database.
        HttpRequestException => failed,
        _ when exception.IsDatabaseFailure => unavailable,
        // EF Core wraps the driver's exception, more than once when it considers the failure transient.
        { InnerException: { } inner } => ToProblem(inner),
        _ => failed,
    };

    private static bool IsUnavailable(PostgresException refused) =>
        refused.IsTransient
        || refused.SqlState.StartsWith("57", StringComparison.Ordinal)
        || refused.InvariantSeverity == RefusedDatabaseLogin.Severity;
}
