using ApexShop.Resources;

namespace ApexShop.Projector.Projecting;

/// <summary>Work for one resource after the other.</summary>
internal static class EachResource
{
    /// <summary>A resource that fails does not keep the others from it; the first failure is returned.</summary>
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
