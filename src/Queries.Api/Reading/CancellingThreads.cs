using System.Collections.Concurrent;

namespace ApexShop.Queries.Api.Reading;

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
