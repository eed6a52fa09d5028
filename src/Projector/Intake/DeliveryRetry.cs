using System.Net.Sockets;
using ApexShop.Projector.EventLog;
using Npgsql;

namespace ApexShop.Projector.Intake;

/// <summary>When a delivery that failed is tried again, or that it is rejected.</summary>
internal sealed class DeliveryRetry(TimeSpan patience, TimeProvider clock, ILogger logger)
{
    private const int MostRetries = 3;

    private static readonly TimeSpan shortestPause = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan longestPause = TimeSpan.FromSeconds(5);

    // By resource, when the log first and last responded without the events that a message requires. The time is that
    // of the resource and not of the message: else a thousand such messages would take a thousand times as long.
    private readonly Dictionary<string, (DateTimeOffset First, DateTimeOffset Last)> missing = [];

    /// <summary>Whether the message is not at fault.</summary>
    public static bool IsUnavailable(Exception exception) =>
        // Npgsql throws the last three too, when a name is not resolved in time.
        exception is NpgsqlException or EventLogException or TimeoutException or SocketException or IOException;

    /// <summary>Sets the time of the next attempt; false when the message is to be rejected.</summary>
    public bool IsRetried(Delivery delivery, Exception exception)
    {
        if (!IsUnavailable(exception))
        {
            (delivery.Waits, delivery.RetryAt) = (0, clock.GetUtcNow() + shortestPause);
            return delivery.Failures++ < MostRetries;
        }

        if (exception is EventLogException log && IsGivenUp(delivery, log)) return false;
        if (delivery.Waits == 0)
            logger.ProjectionWaits(delivery.Batch.Resource, delivery.Batch.Last, exception.Message);
        var pause = shortestPause * Math.Pow(2, Math.Min(delivery.Waits++, 10));
        delivery.RetryAt = clock.GetUtcNow() + (pause < longestPause ? pause : longestPause);
        return true;
    }

    /// <summary>Events of the resource were applied: what the log did not have is there.</summary>
    public void Succeeded(string resource) => missing.Remove(resource);

    private bool IsGivenUp(Delivery delivery, EventLogException exception)
    {
        if (!exception.HasResponded)
        {
            missing.Clear();
            return false;
        }

        var (resource, now) = (delivery.Batch.Resource, clock.GetUtcNow());
        var first = missing.TryGetValue(resource, out var before) && now - before.Last <= patience ? before.First : now;
        missing[resource] = (first, now);
        return now - first >= patience;
    }
}
