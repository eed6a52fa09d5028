using System.Runtime.CompilerServices;

namespace ApexShop.Hosting;

public static class TaskExtensions
{
    /// <summary>
    /// Waits for the end of the task; its failure or cancellation is not thrown. The caller continues in its context.
    /// </summary>
    public static ConfiguredTaskAwaitable WithoutThrowing(this Task task) =>
        task.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
}
