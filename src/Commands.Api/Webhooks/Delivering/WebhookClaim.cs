using ApexShop.Commands.Api.Events;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>A webhook that this process delivers until its claim ends; another process then may.</summary>
/// <param name="Receiver">Where its events are sent.</param>
/// <param name="Types">The types of its events; empty for all.</param>
/// <param name="Position">The log up to here is delivered, or waits.</param>
/// <param name="Head">The position of the last event in the log.</param>
/// <param name="Failures">How often in a row the receiver was unavailable, at most the number of failed events.</param>
/// <param name="Number">The number of the claim, which each change of its holder names.</param>
/// <param name="Revision">Counts what operators have changed.</param>
/// <param name="Since">The timestamp of this process from which the claim is valid at least.</param>
internal sealed record WebhookClaim(
    Receiver Receiver, string[] Types, long Position, long Head, int Failures, long Number, long Revision, long Since)
{
    public int Id => Receiver.WebhookId;

    /// <summary>The part of the log that was not read yet.</summary>
    public EventRange Unread =>
        new(EventFilter.None with { Types = Types is [] ? null : Types.ToHashSet() }, Head, IsCompacted: false);
}

/// <summary>An event that is to be sent, and its outcome in this batch.</summary>
internal sealed class Delivery(LogEntry entry, int attempts)
{
    public LogEntry Entry => entry;

    /// <summary>How often it failed before.</summary>
    public int Attempts => attempts;

    public Subject Aggregate => new(entry.Resource, entry.AggregateId);

    /// <summary>Null while it was not sent.</summary>
    public AttemptOutcome? Outcome { get; set; }

    public bool IsDelivered => Outcome is { IsDelivered: true };

    public bool IsUnavailable => Outcome is { Result: AttemptResult.Unavailable };
}
