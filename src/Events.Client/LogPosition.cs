namespace ApexShop.Events.Client;

/// <summary>
/// Up to which event of a resource a consumer has come. A position counts only in the log of this identity: a log that
/// was restored has another identity, and may have given its positions to other events.
/// </summary>
/// <param name="Log">The identity of the log.</param>
/// <param name="Position">The position of the last event that was applied, or 0.</param>
/// <param name="IsFirstRead">
/// Whether the first, compacted read of the log has not come to its end: the next one continues compacted.
/// </param>
public sealed record LogPosition(string Log, long Position, bool IsFirstRead = false);
