using System.Diagnostics;
using System.Threading.Channels;

namespace ApexShop.Events.Client.Receiving;

/// <summary>For how long each resource has had no message, since its last one or since the log was read.</summary>
internal sealed class MessageTimer(IReadOnlyList<string> resources, TimeSpan longestSilence)
{
    private readonly Dictionary<string, long> began = [];

    public void Restart()
    {
        foreach (var resource in resources) Restart(resource);
    }

    public void Restart(string resource) => began[resource] = Stopwatch.GetTimestamp();

    /// <summary>
    /// Waits for a message; false when one of the resources has had no message for the longest silence.
    /// </summary>
    public async Task<bool> ArrivesAsync(ChannelReader<EventQueue.Delivery> messages, CancellationToken ct)
    {
        if (longestSilence == Timeout.InfiniteTimeSpan) return await messages.WaitToReadAsync(ct);
        var left = longestSilence - Stopwatch.GetElapsedTime(resources.Min(resource => began[resource]));
        if (left <= TimeSpan.Zero) return false;
        if (messages.TryPeek(out _)) return true;
        using var silence = CancellationTokenSource.CreateLinkedTokenSource(ct);
        silence.CancelAfter(left);
        try
        {
            return await messages.WaitToReadAsync(silence.Token);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return false;
        }
    }
}
