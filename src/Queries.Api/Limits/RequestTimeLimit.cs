using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Limits;

/// <summary>Limits the time of a request.</summary>
internal sealed class RequestTimeLimit(IOptions<LimitOptions> options, TimeProvider clock)
{
    private readonly TimeSpan limit = TimeSpan.FromSeconds(options.Value.RequestSeconds);

    /// <summary>Replaces the request's lifetime feature until it is disposed of.</summary>
    public LimitedLifetime Start(HttpContext http) => new(http.Features, limit, clock);
}

/// <summary>
/// The lifetime of a request with a time limit. The timer starts when the token is first used, in order to wait for
/// something: a response from memory never uses it, and needs no timer.
/// </summary>
internal sealed class LimitedLifetime : IHttpRequestLifetimeFeature, IDisposable
{
    private readonly IFeatureCollection features;
    private readonly IHttpRequestLifetimeFeature connection;
    private readonly TimeSpan limit;
    private readonly TimeProvider clock;
    private CancellationTokenSource? timer;
    private CancellationTokenSource? both;

    public LimitedLifetime(IFeatureCollection features, TimeSpan limit, TimeProvider clock)
    {
        (this.features, this.limit, this.clock) = (features, limit, clock);
        connection = features.GetRequiredFeature<IHttpRequestLifetimeFeature>();
        features.Set<IHttpRequestLifetimeFeature>(this);
    }

    public bool IsOver =>
        timer is { IsCancellationRequested: true } && !connection.RequestAborted.IsCancellationRequested;

    public CancellationToken RequestAborted
    {
        get => (both ??= StartTimer()).Token;
        set => connection.RequestAborted = value;
    }

    public void Abort() => connection.Abort();

    public void Dispose()
    {
        features.Set(connection);
        both?.Dispose();
        timer?.Dispose();
    }

    private CancellationTokenSource StartTimer()
    {
        timer = new CancellationTokenSource(limit, clock);
        return CancellationTokenSource.CreateLinkedTokenSource(connection.RequestAborted, timer.Token);
    }
}
