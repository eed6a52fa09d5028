using System.Diagnostics;
using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;
using MediatR;

namespace ApexShop.Commands.Api.Commands;

/// <summary>The outermost behavior of every command: measures its duration by name and outcome.</summary>
internal sealed class CommandTimer<TRequest, TResponse>(CommandMetrics metrics, ConstraintProblems constraints)
    : IPipelineBehavior<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
{
    // A command is nested in its slice, whose name is the name of the command.
    private static readonly string name = typeof(TRequest).DeclaringType?.Name ?? typeof(TRequest).Name;

    public async Task<TResponse> Handle(TRequest request, CancellationToken ct, RequestHandlerDelegate<TResponse> next)
    {
        var started = Stopwatch.GetTimestamp();
        var outcome = "cancelled";
        try
        {
            var response = await next();
            outcome = (response as Result)?.Problem is null ? "done" : "refused";
            return response;
        }
        catch (Exception failure) when (!ct.IsCancellationRequested)
        {
            outcome = constraints.Find(failure) is { Status: < 500 } ? "refused" : "failed";
            throw;
        }
        finally
        {
            metrics.Record(name, outcome, Stopwatch.GetElapsedTime(started));
        }
    }
}

internal sealed class CommandMetrics
{
    private readonly Histogram<double> duration;

    public CommandMetrics(IMeterFactory meters) =>
        duration = meters.Create(CommandsMeter.Name)
            .CreateHistogram<double>("apexshop.command.duration", "s", "Time from command to commit.");

    public void Record(string command, string outcome, TimeSpan elapsed) =>
        duration.Record(elapsed.TotalSeconds, new("command", command), new("outcome", outcome));
}
