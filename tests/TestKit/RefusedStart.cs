using Microsoft.Extensions.Options;

namespace ApexShop.TestKit;

/// <summary>What a process says of its settings when it does not start.</summary>
public static class RefusedStart
{
    private const int Attempts = 20;

    /// <param name="start">Makes the process, starts it and disposes of it.</param>
    public static string MessageOf(Action start)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                start();
            }
            catch (OptionsValidationException refusal)
            {
                return refusal.Message;
            }
            catch (ObjectDisposedException) when (attempt < Attempts)
            {
                // The process was gone before the factory could ask it why.
                continue;
            }

            throw new InvalidOperationException("It started.");
        }
    }
}
