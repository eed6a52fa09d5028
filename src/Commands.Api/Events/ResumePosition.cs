namespace ApexShop.Commands.Api.Events;

/// <summary>Where a follower continues: the position of its last event, and the log that the position is of.</summary>
/// <param name="Position">Null: with the next event.</param>
/// <param name="LogId">Null when the client did not name it.</param>
/// <param name="IsRecordId">Whether both are the id of a record of an earlier response.</param>
internal readonly record struct ResumePosition(long? Position, string? LogId, bool IsRecordId);
