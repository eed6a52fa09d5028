using System.Collections.Concurrent;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Cancels a statement a while after its origin, since most statements end sooner than they could be cancelled, or when
/// its time limit is over. Npgsql cancels a statement over an extra connection and blocks the thread that cancels: with
/// a database that does not respond, for seconds. So the cancellation runs on <see cref="CancellingThreads"/>.
/// </summary>
internal sealed class DelayedCancellation : IDisposable
{
    // Not disposed of, since its cancellation may still be queued; it has no timer.
    private readonly CancellationTokenSource statement = new();
    private readonly CancellationTokenSource timer = new();
    private readonly CancellationTokenRegistration origin;

    public DelayedCancellation(TimeSpan delay, CancellationToken ct, TimeSpan? limit = null)
    {
        timer.Token.UnsafeRegister(static source => CancellingThreads.Add((CancellationTokenSource)source!), statement);
        if (limit is { } most) timer.CancelAfter(most);
        origin = ct.Register(() => timer.CancelAfter(delay));
    }

    /// <summary>How long a statement still runs after its client disconnected: far longer than most take.</summary>
    public static TimeSpan UsualDelay { get; } = TimeSpan.FromMilliseconds(500);

    public CancellationToken Token => statement.Token;

    /// <summary>For a statement of one caller.</summary>
    public static DelayedCancellation Of(CancellationToken ct) => new(UsualDelay, ct, ReadDatabase.LongestStatement);

    /// <summary>For a statement that many callers share.</summary>
    public static DelayedCancellation After(TimeSpan limit) => new(UsualDelay, CancellationToken.None, limit);

    public void Dispose()
    {
        // First: it waits until the callback no longer uses the source.
        origin.Dispose();
        timer.Dispose();
    }
}

/// <summary>
/// The threads that cancel statements. However many statements are cancelled while the database does not respond, no
/// thread of the pool is blocked.
/// </summary>
internal static class CancellingThreads
{
    // Several, since a cancellation takes up to the time limit of a new connection.
    private const int Count = 8;

    private static readonly BlockingCollection<CancellationTokenSource> waiting = [];

    static CancellingThreads()
    {
        for (var i = 0; i < Count; i++)
            new Thread(Run) { IsBackground = true, Name = "cancelling statements" }.Start();
    }

    public static void Add(CancellationTokenSource statement) => waiting.Add(statement);

    private static void Run()
    {
        foreach (var statement in waiting.GetConsumingEnumerable())
        {
            try
            {
                statement.Cancel();
            }
            catch (AggregateException)
            {
                // The statement's own task has the error.
            }
        }
    }
}
