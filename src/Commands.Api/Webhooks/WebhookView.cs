using System.Text.Json.Serialization;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>What a webhook does now.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<WebhookState>))]
internal enum WebhookState
{
    /// <summary>Events are sent as they happen.</summary>
    Delivering,

    /// <summary>It is not active.</summary>
    Inactive,

    /// <summary>The receiver is unavailable; the next attempt is at nextAttemptAt.</summary>
    Failing,

    /// <summary>The receiver refuses events, or some of them; they are tried again, the others are sent.</summary>
    Refusing,

    /// <summary>Too many events wait or are parked; no other event is sent.</summary>
    Full,

    /// <summary>It was made with another Webhooks:Key; with a new secret it is delivered again.</summary>
    OtherKey,
}

/// <summary>A webhook.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Url">The address of the receiver.</param>
/// <param name="Description">What it is for.</param>
/// <param name="Types">The types of its events; empty for all.</param>
/// <param name="IsActive">Whether events are sent.</param>
/// <param name="State">What it does now.</param>
/// <param name="Position">The position in the log up to which events were sent, or wait.</param>
/// <param name="Behind">The events in the log after it, of all types.</param>
/// <param name="Waiting">Events that failed, or wait behind one of the same aggregate, and are tried again.</param>
/// <param name="Parked">Events that failed for too long; they wait for an operator.</param>
/// <param name="LastFailure">Why the receiver is unavailable.</param>
/// <param name="FailingSince">Since when the receiver has been unavailable.</param>
/// <param name="NextAttemptAt">When it is tried again.</param>
/// <param name="CreatedAt">When it was created.</param>
internal sealed record WebhookView(
    int Id,
    string Url,
    string Description,
    string[] Types,
    bool IsActive,
    WebhookState State,
    long Position,
    long Behind,
    int Waiting,
    int Parked,
    string? LastFailure,
    DateTime? FailingSince,
    DateTime? NextAttemptAt,
    DateTime CreatedAt);

/// <summary>All webhooks, by number.</summary>
internal sealed record WebhookList(IReadOnlyList<WebhookView> Items);

/// <summary>An event that was not delivered.</summary>
/// <param name="Position">Its position in the log.</param>
/// <param name="Type">Its type.</param>
/// <param name="Subject">Its aggregate.</param>
/// <param name="Attempts">How often it failed.</param>
/// <param name="LastFailure">Why the last attempt failed; null while it waits behind an earlier event.</param>
/// <param name="FailingSince">When the first attempt failed.</param>
/// <param name="NextAttemptAt">When it is tried again; null while it is parked or waits behind another.</param>
/// <param name="ParkedAt">When it was parked.</param>
internal sealed record UndeliveredEvent(
    long Position,
    string Type,
    string Subject,
    int Attempts,
    string? LastFailure,
    DateTime? FailingSince,
    DateTime? NextAttemptAt,
    DateTime? ParkedAt);

/// <summary>Events of a webhook that were not delivered, by position.</summary>
/// <param name="Items">The events.</param>
/// <param name="Next">The <c>after</c> of the next request; null at the end.</param>
internal sealed record UndeliveredList(IReadOnlyList<UndeliveredEvent> Items, long? Next);

/// <summary>A webhook and its secret, which no other response contains.</summary>
internal sealed record WebhookSecret(int Id, string Secret);

/// <summary>How many events are tried again.</summary>
internal sealed record ReplayedDeliveries(int Count);

/// <summary>The outcome of a test.</summary>
/// <param name="IsDelivered">Whether the receiver responded with 2xx.</param>
/// <param name="Failure">Why not.</param>
internal sealed record TestDelivery(bool IsDelivered, string? Failure);
