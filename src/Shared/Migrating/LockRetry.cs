using System.Data.Common;

namespace ApexShop.Migrating;

/// <summary>
/// Runs a migration. While one statement waits for the lock of a table, every later statement on the table waits too.
/// So a migration waits only briefly, and pauses before it tries again: the others are executed meanwhile.
/// </summary>
public static class LockRetry
{
    /// <summary>
    /// The value of PostgreSQL's setting <c>lock_timeout</c> in a migration. PostgreSQL cancels an automatic vacuum for
    /// a lock, but only after a second (<c>deadlock_timeout</c>).
    /// </summary>
    public const string Timeout = "1500ms";

    private const int Attempts = 100;

    public static Task RunAsync(Func<Task> migrate, TimeProvider clock, CancellationToken ct) =>
        MigrationRetry.RunAsync(migrate, Attempts, IsLocked, clock, ct);

    // The wait for a lock has ended (55P03), or a deadlock (40P01): a command that holds one of the tables may wait for
    // another, and then PostgreSQL may end the migration.
    private static bool IsLocked(Exception failure) =>
        failure.GetBaseException() is DbException { SqlState: "55P03" or "40P01" };
}
