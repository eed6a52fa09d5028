namespace ApexShop.Events;

/// <summary>
/// One entry of the event log: a CloudEvent with its place. <paramref name="Position"/> has no gaps over the whole log;
/// <paramref name="Previous"/> is the position of the same resource's entry before this one (0 for the first), so a
/// consumer of one resource sees a hole or a repeat.
/// </summary>
/// <param name="Position">Place in the log, from 1.</param>
/// <param name="Previous">Position of the resource's entry before this one, or 0.</param>
/// <param name="Id">UUIDv7 of the event.</param>
/// <param name="Type">One of <see cref="EventTypes"/>.</param>
/// <param name="Resource">One of <see cref="Resources"/>; with the id it is the CloudEvents subject.</param>
/// <param name="AggregateId">Id of the aggregate that changed.</param>
/// <param name="Time">When the change was made, UTC.</param>
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
    /// <summary>Header of an answer of the log: the position of its last entry.</summary>
    public const string HeadHeader = "Log-Head";
}
