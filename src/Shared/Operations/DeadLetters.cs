namespace ApexShop.Operations;

/// <summary>Messages that could not be read, by id: the answer of GET /admin/dead-letters.</summary>
/// <param name="Items">The page.</param>
/// <param name="Next">What <c>after</c> takes to go on; null on the last page.</param>
public sealed record DeadLetterList(IReadOnlyList<DeadLetterHead> Items, int? Next);

/// <summary>A message that could not be read.</summary>
/// <param name="Id">Its number.</param>
/// <param name="ReceivedAt">When it came first.</param>
/// <param name="LastReceivedAt">When the same body came last.</param>
/// <param name="Times">How often the same body came.</param>
/// <param name="Reason">Why it could not be read at the last attempt.</param>
/// <param name="Bytes">Size of the body.</param>
/// <param name="Excerpt">The start of the body as text; what is no text in it is shown as a dot.</param>
public sealed record DeadLetterHead(
    int Id, DateTimeOffset ReceivedAt, DateTimeOffset LastReceivedAt, int Times, string Reason, int Bytes, string Excerpt);

/// <summary>A message that could not be read, with its body: the answer of GET /admin/dead-letters/{id}.</summary>
/// <param name="Id">Its number.</param>
/// <param name="ReceivedAt">When it came first.</param>
/// <param name="LastReceivedAt">When the same body came last.</param>
/// <param name="Times">How often the same body came.</param>
/// <param name="Reason">Why it could not be read at the last attempt.</param>
/// <param name="Bytes">Size of the whole body.</param>
/// <param name="ContentType">As the sender called it.</param>
/// <param name="Encoding"><c>utf-8</c> where the body is text, else <c>base64</c>.</param>
/// <param name="Body">The body, up to a mebibyte of it.</param>
/// <param name="IsWhole">Whether that is all of it.</param>
public sealed record DeadLetter(
    int Id,
    DateTimeOffset ReceivedAt,
    DateTimeOffset LastReceivedAt,
    int Times,
    string Reason,
    int Bytes,
    string? ContentType,
    string Encoding,
    string Body,
    bool IsWhole);

/// <summary>What the replay of a message that could not be read did, or would do.</summary>
/// <param name="Id">Its number.</param>
/// <param name="DryRun">Whether it only tells what would happen; then nothing was changed.</param>
/// <param name="Outcome">
/// <c>applied</c>: it could be read, its events are in the documents and it is gone; <c>refused</c>: it still cannot be
/// read, stays, and <paramref name="Reason"/> is its new reason.
/// </param>
/// <param name="Resource">The resource of its events.</param>
/// <param name="Events">How many events it has.</param>
/// <param name="Repeated">Those that had been applied before, as when they came from the event log meanwhile.</param>
/// <param name="Reason">Why it was refused.</param>
public sealed record DeadLetterReplay(
    int Id, bool DryRun, string Outcome, string? Resource, int Events, int Repeated, string? Reason)
{
    public const string Applied = "applied";
    public const string Refused = "refused";
}

/// <summary>What a replay of many such messages did, or would do.</summary>
/// <param name="DryRun">Whether it only tells what would happen.</param>
/// <param name="Applied">Messages that are dead letters no longer.</param>
/// <param name="Refused">Messages that stay.</param>
/// <param name="Items">Each message.</param>
/// <param name="Next">What <c>after</c> takes to go on; null when there are no more.</param>
public sealed record DeadLetterReplays(
    bool DryRun, int Applied, int Refused, IReadOnlyList<DeadLetterReplay> Items, int? Next);
