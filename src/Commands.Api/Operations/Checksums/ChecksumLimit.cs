using System.Threading.RateLimiting;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Operations.Checksums;

/// <summary>
/// Limits the checksums that are computed for one key at a time. They use the connections of the commands: a consumer
/// that compares everything at once must not stop them.
/// </summary>
internal sealed class ChecksumLimit : IEndpointFilter, IDisposable
{
    /// <summary>Requests of one key that are executed at a time; as many as <see cref="Waiting"/> wait.</summary>
    public const int Executing = 4;

    public const int Waiting = 64;

    private static readonly Problem busy = new(
        StatusCodes.Status503ServiceUnavailable, "streams.busy",
        "The maximum number of requests for checksums is running.");

    private readonly PartitionedRateLimiter<HttpContext> places = PartitionedRateLimiter.Create<HttpContext, string>(
        http => RateLimitPartition.GetConcurrencyLimiter(
            http.User.Identity?.Name ?? "", _ => new() { PermitLimit = Executing, QueueLimit = Waiting }));

    public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        var http = context.HttpContext;
        using var place = await places.AcquireAsync(http, 1, http.RequestAborted);
        return place.IsAcquired ? await next(context) : CommandResponses.ToHttp(busy);
    }

    public void Dispose() => places.Dispose();
}
