using System.Net;

namespace ApexShop.Client.Requests;

/// <summary>
/// Whether and when a request is repeated. A command without an Idempotency-Key is repeated only if it was certainly
/// not executed: the rate limit refused it, or no connection was made.
/// </summary>
internal sealed class RetryPolicy(int retries, TimeSpan first, TimeSpan longest)
{
    /// <summary>An earlier attempt, whose response was lost, is still running.</summary>
    public const string InProgress = "idempotency.in_progress";

    /// <summary>The pause before the next attempt after a refusal; null if there is none.</summary>
    public TimeSpan? PauseAfter(ShopRequest request, int attempt, int status, string code, TimeSpan? retryAfter)
    {
        var canRepeat = (HttpStatusCode)status switch
        {
            HttpStatusCode.TooManyRequests => true,
            HttpStatusCode.ServiceUnavailable or HttpStatusCode.BadGateway or HttpStatusCode.GatewayTimeout =>
                request.IsRepeatable,
            HttpStatusCode.Conflict => request.IdempotencyKey is not null && code == InProgress,
            _ => false,
        };
        return canRepeat ? Pause(attempt, retryAfter ?? TimeSpan.Zero) : null;
    }

    /// <summary>The pause before the next attempt after an attempt without a response; null if there is none.</summary>
    public TimeSpan? PauseAfter(ShopRequest request, int attempt, Exception lost)
    {
        var wasSent = lost is not HttpRequestException
        {
            HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError,
        };
        return request.IsRepeatable || !wasSent ? Pause(attempt, TimeSpan.Zero) : null;
    }

    // The random part keeps clients that were refused together from returning together.
    private TimeSpan? Pause(int attempt, TimeSpan atLeast)
    {
        if (attempt >= retries || atLeast > longest) return null;
        var doubled = first * Math.Pow(2, Math.Min(attempt, 20));
        var backOff = (doubled < longest ? doubled : longest) * (1 - Random.Shared.NextDouble() / 2);
        return atLeast == TimeSpan.Zero ? backOff : atLeast + first * Random.Shared.NextDouble();
    }
}
