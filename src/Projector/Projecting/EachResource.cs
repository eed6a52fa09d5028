using ApexShop.Resources;

namespace ApexShop.Projector.Projecting;

/// <summary>Work for one resource after the other.</summary>
internal static class EachResource
{
    /// <summary>Does the work for every resource, also after a failure; returns the first failure.</summary>
    public static async Task<Exception?> TryAsync(Func<string, Task> work, CancellationToken ct)
    {
        Exception? failure = null;
        foreach (var resource in Resource.Names)
        {
            try
            {
                await work(resource);
            }
            catch (Exception exception) when (!ct.IsCancellationRequested)
            {
                failure ??= exception;
            }
        }

        return failure;
    }
}
