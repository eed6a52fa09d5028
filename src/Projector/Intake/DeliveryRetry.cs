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

    // With a time of each message only, a thousand such messages would take a thousand times as long. With one of each
    // resource only, a message would stay for ever while others of the resource are applied. So both have one.
    private readonly Dictionary<string, MissingTime> missing = [];

    // When the log last did not respond. No earlier time counts.
    private TimeSpan unavailable = TimeSpan.MinValue;

    /// <summary>A time that only increases, unlike the time of day, which may be set back by hours.</summary>
    public TimeSpan Now => clock.GetElapsedTime(0);

    /// <summary>Whether the message is not at fault.</summary>
    public static bool IsUnavailable(Exception exception) =>
        // Npgsql throws the last three too, when a name is not resolved in time.
        exception is NpgsqlException or EventLogException or TimeoutException or SocketException or IOException;

    /// <summary>Sets the time of the next attempt; false when the message is to be rejected.</summary>
    public bool IsRetried(Delivery delivery, Exception exception)
    {
        if (!IsUnavailable(exception))
        {
            (delivery.Waits, delivery.RetryAt) = (0, Now + shortestPause);
            return delivery.Failures++ < MostRetries;
        }

        if (exception is EventLogException log && IsGivenUp(delivery, log)) return false;
        if (delivery.Waits == 0)
            logger.ProjectionWaits(delivery.Batch.Resource, delivery.Batch.Last, exception.Message);
        var pause = shortestPause * Math.Pow(2, Math.Min(delivery.Waits++, 10));
        delivery.RetryAt = Now + (pause < longestPause ? pause : longestPause);
        return true;
    }

    /// <summary>Events of the resource were applied: what the log did not have is there.</summary>
    public void Succeeded(string resource) => missing.Remove(resource);

    private bool IsGivenUp(Delivery delivery, EventLogException exception)
    {
        var (resource, now) = (delivery.Batch.Resource, Now);
        if (!exception.HasResponded)
        {
            unavailable = now;
            return false;
        }

        var ofDelivery = delivery.Missing = Continued(delivery.Missing, now);
        var ofResource = missing[resource] = Continued(missing.GetValueOrDefault(resource), now);
        return now - ofDelivery.First >= patience || now - ofResource.First >= patience;
    }

    private MissingTime Continued(MissingTime? before, TimeSpan now) =>
        before is not null && now - before.Last <= patience + longestPause && before.First > unavailable
            ? before with { Last = now }
            : new(now, now);
}
