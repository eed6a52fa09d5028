namespace ApexShop.Operations;

/// <summary>Messages that could not be parsed, by id: the response of GET /admin/dead-letters.</summary>
/// <param name="Items">The page.</param>
/// <param name="Next">The value of <c>after</c> for the next page; null on the last page.</param>
public sealed record DeadLetterList(IReadOnlyList<DeadLetterHead> Items, int? Next);

/// <summary>A message that could not be parsed.</summary>
/// <param name="Id">Id of the dead letter.</param>
/// <param name="ReceivedAt">Time of the first receipt.</param>
/// <param name="LastReceivedAt">Time of the last receipt of the same body.</param>
/// <param name="Times">How often the same body was received.</param>
/// <param name="Reason">The error of the last attempt.</param>
/// <param name="Bytes">Size of the body.</param>
/// <param name="Excerpt">
/// The start of the body as text; a byte that is not text is shown as a dot. Empty for a key without the read scopes of
/// all resources.
/// </param>
public sealed record DeadLetterHead(
    int Id,
    DateTimeOffset ReceivedAt,
    DateTimeOffset LastReceivedAt,
    int Times,
    string Reason,
    int Bytes,
    string Excerpt);

/// <summary>A message that could not be parsed, with its body: the response of GET /admin/dead-letters/{id}.</summary>
/// <param name="Id">Id of the dead letter.</param>
/// <param name="ReceivedAt">Time of the first receipt.</param>
/// <param name="LastReceivedAt">Time of the last receipt of the same body.</param>
/// <param name="Times">How often the same body was received.</param>
/// <param name="Reason">The error of the last attempt.</param>
/// <param name="Bytes">Size of the whole body.</param>
/// <param name="ContentType">Content type of the message.</param>
/// <param name="Encoding"><c>utf-8</c> if the body is text, otherwise <c>base64</c>.</param>
/// <param name="Body">The body, at most the first MiB.</param>
/// <param name="IsWhole">Whether <paramref name="Body"/> is the complete body.</param>
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

/// <summary>The result of replaying a dead letter.</summary>
/// <param name="Id">Id of the dead letter.</param>
/// <param name="DryRun">Whether this was a dry run, which changes nothing.</param>
/// <param name="Outcome">
/// <c>applied</c>: its events were applied and it was removed; <c>refused</c>: it still cannot be read, or
/// the event log does not have the events before it, and it stays, see <paramref name="Reason"/>.
/// </param>
/// <param name="Resource">The resource of its events.</param>
/// <param name="Events">Number of its events.</param>
/// <param name="Repeated">Number of its events that had been applied before, for example from the event log.</param>
/// <param name="Reason">The reason of a refusal.</param>
public sealed record DeadLetterReplay(
    int Id, bool DryRun, string Outcome, string? Resource, int Events, int Repeated, string? Reason)
{
    public const string Applied = "applied";
    public const string Refused = "refused";
}

/// <summary>The result of replaying several dead letters.</summary>
/// <param name="DryRun">Whether this was a dry run, which changes nothing.</param>
/// <param name="Applied">Number of messages that were applied and removed.</param>
/// <param name="Refused">Number of messages that stay.</param>
/// <param name="Items">The result of each message.</param>
/// <param name="Next">The value of <c>after</c> for the next page; null when there are no more.</param>
public sealed record DeadLetterReplays(
    bool DryRun, int Applied, int Refused, IReadOnlyList<DeadLetterReplay> Items, int? Next);
