namespace ApexShop.Migrating;

/// <summary>Tries a step of a migration again, once a second, while its failure is one that ends by itself.</summary>
internal static class MigrationRetry
{
    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public static async Task RunAsync(
        Func<Task> step, int attempts, Func<Exception, bool> endsByItself, TimeProvider clock, CancellationToken ct)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await step();
                return;
            }
            catch (Exception failure) when (attempt < attempts && endsByItself(failure))
            {
                await Task.Delay(pause, clock, ct);
            }
        }
    }
}
