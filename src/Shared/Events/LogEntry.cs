namespace ApexShop.Events;

/// <summary>
/// One entry of the event log. Positions are given out without gaps over the whole log. With
/// <paramref name="Previous"/> a consumer of one resource detects a gap or a repetition.
/// </summary>
/// <param name="Position">Position in the event log, from 1.</param>
/// <param name="Previous">Position of the previous entry of the same resource; 0 for the first.</param>
/// <param name="Id">UUIDv7 of the event.</param>
/// <param name="Type">One of <see cref="EventTypes"/>.</param>
/// <param name="Resource">
/// Name of a <see cref="Resources.Resource"/>; with the id it is the CloudEvents subject.
/// </param>
/// <param name="AggregateId">Id of the aggregate that changed.</param>
/// <param name="Time">Time of the change, UTC.</param>
/// <param name="TraceParent">W3C trace context of the request that made the change.</param>
/// <param name="Data">The state as UTF-8 JSON; see <see cref="EventJson"/>.</param>
public sealed record LogEntry(
    long Position,
    long Previous,
    Guid Id,
    string Type,
    string Resource,
    int AggregateId,
    DateTimeOffset Time,
    string? TraceParent,
    ReadOnlyMemory<byte> Data)
{
    private const int TraceParentLength = 55;

    /// <summary>
    /// Name of the API key that made the change, of the customer, or of the process; null for an event from before it
    /// was recorded. In a CloudEvent of a public document a customer is only <see cref="Access.Customer.Kind"/>.
    /// </summary>
    public string? Actor { get; init; }

    /// <summary>
    /// The trace id of the request: all events and log lines of the requests of one trace have it.
    /// </summary>
    public string? CorrelationId => TraceParent is { Length: TraceParentLength } trace ? trace[3..35] : null;

    /// <summary>Response header of the event log: its identity.</summary>
    public const string IdHeader = "Log-Id";

    /// <summary>Response header of the event log: the position of its last entry.</summary>
    public const string HeadHeader = "Log-Head";

    /// <summary>
    /// The identity of the log that sent the entry. A restored log has another one, and may use positions again.
    /// </summary>
    public string? LogId { get; init; }
}
