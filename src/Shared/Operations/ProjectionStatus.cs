namespace ApexShop.Operations;

/// <summary>Where the documents stand: the answer of GET /admin/projection.</summary>
/// <param name="Epoch">Number of the read schema; a rebuild raises it.</param>
/// <param name="Positions">Position of the last event applied, by resource.</param>
/// <param name="ParkedAggregates">Aggregates with events that could not be applied.</param>
/// <param name="ParkedEvents">Those events, and the later ones that wait behind them.</param>
/// <param name="DeadLetters">Messages that could not be read.</param>
/// <param name="LogBreak">What shows that the event log is not the one that the documents were made of, as after a restore.</param>
public sealed record ProjectionStatus(
    long Epoch,
    IReadOnlyDictionary<string, long> Positions,
    long ParkedAggregates,
    long ParkedEvents,
    long DeadLetters,
    string? LogBreak);
