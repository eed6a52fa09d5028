namespace ApexShop.Operations;

/// <summary>A bucket of 500 ids as the tables have it: a line of GET /events/checksums.</summary>
/// <param name="Bucket">Number of the bucket: its first id divided by 500.</param>
/// <param name="Count">Aggregates in it.</param>
/// <param name="Checksum">SHA-256, in hexadecimal, over the SHA-256 of each state's JSON, by id.</param>
public sealed record BucketChecksum(int Bucket, int Count, string Checksum);

/// <summary>An aggregate as the tables and the log have it: a line of GET /events/aggregates.</summary>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="Version">Version of its row; null without a row.</param>
/// <param name="Checksum">SHA-256 of the state's JSON, in hexadecimal; null without a row.</param>
/// <param name="Position">Position of its last event in the log; null without one.</param>
/// <param name="LoggedVersion">Version of that event.</param>
/// <param name="IsDeleted">Whether that event is its deletion.</param>
/// <param name="IsWaiting">Whether an event of it waits for its position.</param>
public sealed record AggregateCheck(
    int Id, long? Version, string? Checksum, long? Position, long? LoggedVersion, bool IsDeleted, bool IsWaiting);
