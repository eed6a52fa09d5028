using System.Data.Common;
using System.Net.Sockets;

namespace ApexShop.Migrating;

/// <summary>
/// Connects again while no server takes a connection. After a power cut a cluster is without a primary until its lease
/// has ended, while its replicas answer.
/// </summary>
public static class ConnectionRetry
{
    private const int Attempts = 60;

    public static Task RunAsync(Func<Task> connect, TimeProvider clock, CancellationToken ct) =>
        MigrationRetry.RunAsync(connect, Attempts, IsUnavailable, clock, ct);

    // No server has answered, its name is not resolved, or it starts (57P03). A password that is wrong stays wrong.
    private static bool IsUnavailable(Exception failure) =>
        failure is SocketException or TimeoutException or DbException { SqlState: null or "57P03" };
}
