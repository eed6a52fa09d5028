using Microsoft.Extensions.Options;

namespace ApexShop.TestKit;

/// <summary>The message of a process that does not start because of its settings.</summary>
public static class StartupFailure
{
    private const int Attempts = 20;

    /// <param name="start">Creates, starts and disposes the process.</param>
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
                // The host was disposed before the factory could read the error.
                continue;
            }

            throw new InvalidOperationException("It started.");
        }
    }
}
