namespace ApexShop.Operations;

/// <summary>The state of the projection: the response of GET /admin/projection.</summary>
/// <param name="Epoch">Epoch of the documents; a rebuild, its rollback or another log increases it.</param>
/// <param name="Positions">Position of the last applied event, by resource.</param>
/// <param name="ParkedAggregates">Number of aggregates with parked events, of the first 100,000 events.</param>
/// <param name="ParkedEvents">
/// Number of parked events, at most 100,000: those that could not be applied, and the later ones of the same
/// aggregates.
/// </param>
/// <param name="DeadLetters">Number of messages that could not be parsed, at most 100,000.</param>
/// <param name="LogBreak">
/// Evidence that the documents were made from another event log, as after a restore of a backup; null when there is
/// none.
/// </param>
public sealed record ProjectionStatus(
    long Epoch,
    IReadOnlyDictionary<string, long> Positions,
    long ParkedAggregates,
    long ParkedEvents,
    long DeadLetters,
    string? LogBreak);
