namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Cancels a while after its origin. Npgsql cancels a statement over an extra connection, blocking the thread that
/// cancels: many clients that disconnect at the same time would block every thread of the pool. Most statements end
/// sooner than they could be cancelled.
/// </summary>
internal sealed class DelayedCancellation : IDisposable
{
    private readonly CancellationTokenSource delayed = new();
    private readonly CancellationTokenRegistration origin;

    public DelayedCancellation(TimeSpan delay, CancellationToken ct) =>
        origin = ct.Register(() => delayed.CancelAfter(delay));

    public CancellationToken Token => delayed.Token;

    public void Dispose()
    {
        // First: it waits until the callback no longer uses the source.
        origin.Dispose();
        delayed.Dispose();
    }
}
