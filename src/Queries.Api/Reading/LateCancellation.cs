namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Cancels a while after its origin. Npgsql cancels a statement over a connection that it opens for it, on the thread
/// that cancels and blocking it: a crowd that hangs up at once would take every thread from everybody else. Most
/// statements are over sooner than they could be cancelled; only those that are not are worth it.
/// </summary>
internal sealed class LateCancellation : IDisposable
{
    private readonly CancellationTokenSource late = new();
    private readonly CancellationTokenRegistration origin;

    public LateCancellation(TimeSpan after, CancellationToken ct) => origin = ct.Register(() => late.CancelAfter(after));

    public CancellationToken Token => late.Token;

    public void Dispose()
    {
        // First: it waits until nobody touches the source any more.
        origin.Dispose();
        late.Dispose();
    }
}
