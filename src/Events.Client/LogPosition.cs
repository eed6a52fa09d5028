namespace ApexShop.Events.Client;

/// <summary>
/// Up to which event of a resource a consumer has come. A position counts only in the log of this identity: a log that
/// was restored has another identity, and may have given its positions to other events.
/// </summary>
public sealed record LogPosition(string Log, long Position);
