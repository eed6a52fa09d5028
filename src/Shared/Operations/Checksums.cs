namespace ApexShop.Operations;

/// <summary>A bucket of 500 ids in the tables: a line of GET /events/checksums.</summary>
/// <param name="Bucket">Number of the bucket: its first id divided by 500.</param>
/// <param name="Count">Number of aggregates.</param>
/// <param name="Checksum">
/// Hexadecimal SHA-256 of the checksums of its aggregates, 32 bytes each, in the order of the ids;
/// docs/consume-events.md has a program that computes it.
/// </param>
public sealed record BucketChecksum(int Bucket, int Count, string Checksum);

/// <summary>An aggregate in the tables and in the event log: a line of GET /events/aggregates.</summary>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="Version">Version of its row; null without a row.</param>
/// <param name="Checksum">
/// Hexadecimal SHA-256 of the state's JSON in the form that docs/consume-events.md defines; null without a row.
/// </param>
/// <param name="Position">Position of its last event in the log; null without one.</param>
/// <param name="LoggedVersion">Version of that event.</param>
/// <param name="IsDeleted">Whether that event is its deletion.</param>
/// <param name="IsWaiting">Whether the outbox contains an event of it that has no position yet.</param>
public sealed record AggregateCheck(
    int Id, long? Version, string? Checksum, long? Position, long? LoggedVersion, bool IsDeleted, bool IsWaiting);
