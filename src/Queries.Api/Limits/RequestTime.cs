using Microsoft.AspNetCore.Http.Features;

namespace ApexShop.Queries.Api.Limits;

/// <summary>
/// The life of a request that may not take for ever. Its clock starts when somebody first asks for the token, in order
/// to wait for something: an answer from memory never does, and pays for none.
/// </summary>
internal sealed class RequestTime(IHttpRequestLifetimeFeature connection, TimeSpan limit, TimeProvider clock)
    : IHttpRequestLifetimeFeature, IDisposable
{
    private CancellationTokenSource? timer;
    private CancellationTokenSource? both;

    public bool IsOver => timer is { IsCancellationRequested: true } && !connection.RequestAborted.IsCancellationRequested;

    public CancellationToken RequestAborted
    {
        get => (both ??= Start()).Token;
        set => connection.RequestAborted = value;
    }

    public void Abort() => connection.Abort();

    public void Dispose()
    {
        both?.Dispose();
        timer?.Dispose();
    }

    private CancellationTokenSource Start()
    {
        timer = new CancellationTokenSource(limit, clock);
        return CancellationTokenSource.CreateLinkedTokenSource(connection.RequestAborted, timer.Token);
    }
}
