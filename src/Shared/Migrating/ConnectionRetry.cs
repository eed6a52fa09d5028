using System.Data.Common;

namespace ApexShop.Migrating;

/// <summary>
/// Connects again while no server takes a connection. After a power cut a cluster is without a primary until its lease
/// has ended, while its replicas answer.
/// </summary>
public static class ConnectionRetry
{
    private const int Attempts = 60;

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public static async Task RunAsync(Func<Task> connect, TimeProvider clock, CancellationToken ct)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await connect();
                return;
            }
            catch (DbException failure) when (attempt < Attempts && IsUnavailable(failure))
            {
                await Task.Delay(pause, clock, ct);
            }
        }
    }

    // No server has answered, or it starts (57P03). A password that is wrong stays wrong.
    private static bool IsUnavailable(DbException failure) => failure.SqlState is null or "57P03";
}
