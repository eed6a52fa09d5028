namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>The outcome of one attempt.</summary>
internal enum AttemptResult
{
    /// <summary>The receiver responded with 2xx.</summary>
    Delivered,

    /// <summary>The receiver responded to this event with another status.</summary>
    Refused,

    /// <summary>The receiver did not respond, or responded that it serves no request now.</summary>
    Unavailable,
}

/// <param name="Result">The kind of the outcome.</param>
/// <param name="Failure">Why it was not delivered, without a text of the receiver.</param>
/// <param name="RetryAfter">The pause that the receiver requires.</param>
internal readonly record struct AttemptOutcome(
    AttemptResult Result, string? Failure = null, TimeSpan RetryAfter = default)
{
    public bool IsDelivered => Result == AttemptResult.Delivered;
}
