using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>A guarantee that a history broke.</summary>
internal sealed record Violation(string Check, string Text);

/// <summary>A guarantee, and the function that returns where a history breaks it.</summary>
internal sealed record Check(string Name, string Guarantee, Func<History, IEnumerable<string>> Find)
{
    /// <summary>Every check; each reads the history a constant number of times.</summary>
    public static IReadOnlyList<Check> All { get; } =
    [
        new("log.positions", "positions have no gap and do not repeat", LogPositionCheck.Find),
        new("log.previous", "each event names the position before it of its resource", PreviousCheck.Find),
        new("log.versions", "an aggregate's versions count from 1 and end with its deletion", VersionCheck.Find),
        new("log.origin", "every event belongs to a request that was sent, and names its caller", OriginCheck.Find),
        new("log.real-time", "a change that was acknowledged before another began is before it", RealTimeCheck.Find),
        new("log.references", "what an event refers to exists, and unique values are unique", ReferenceCheck.Find),
        new("log.erasures", "the log has nothing of a person after the acknowledged erasure", ErasureCheck.Find),
        new("log.orders", "orders move forward, keep their items and cost what they were sold for", OrderCheck.Find),
        new("log.purchases", "a review is verified if its user has received the product, else not",
            PurchaseCheck.Find),
        new("stock.movements", "every stock is explained movement by movement, never below 0", StockCheck.Find),
        new("commands.acknowledged", "an acknowledged command is in the log, exactly once", AcknowledgedCheck.Find),
        new("commands.refused", "a refused command has no event", RefusedCheck.Find),
        new("commands.refusals", "a refusal has a reason that can have been so at that moment", RefusalCheck.Find),
        new("commands.selections", "a set-based command changes what fulfils its condition, and leaves out none",
            SelectCheck.Find),
        new("commands.whole", "a command without an answer was executed as a whole or not at all", WholeCheck.Find),
        new("commands.content", "an event has the values that its command sent and keeps the others",
            SentCheck.Find),
        new("commands.if-match", "If-Match is accepted for the current version only", IfMatchCheck.Find),
        new("commands.idempotency", "a repeated key is executed once and answered the same", IdempotencyCheck.Find),
        new("commands.logins", "a login succeeds for an active user with the right password", LoginCheck.Find),
        new("commands.answers", "a valid request is refused for a documented reason only", AnswerCheck.Find),
        new("reads.own-writes", "a read with a token shows the change of the token", OwnWritesCheck.Find),
        new("reads.monotonic", "reads of one address at one process never go back", MonotonicCheck.Find),
        new("reads.session", "reads with a token never go back, at any process", SessionCheck.Find),
        new("reads.content", "a read shows a version that was written, with its values", ContentCheck.Find),
        new("reads.bounded", "no read shows a version that was seen replaced two seconds before", BoundedCheck.Find),
        new("reads.lists", "a list has each document once, in its order, and those its filters keep", ListCheck.Find),
        new("reads.totals", "the totals of a page, and of the facets, fit each other", TotalCheck.Find),
        new("reads.changes", "changes continue after a cursor: none is missed, none goes back", ChangesCheck.Find),
        new("reads.suggestions", "a suggestion has words of names of products", SuggestionCheck.Find),
        new("reads.customers", "a customer sees only the customer's own orders", CustomerCheck.Find),
        new("rest.documents", "at rest every way of reading shows the last events", RestCheck.Find),
        new("rest.lists", "at rest lists, pages and facets have the documents of their filters, sorted",
            RestListCheck.Find),
        new("rest.consumers", "a consumer has seen every event once, in order, with the values that the log has",
            ConsumerCheck.Find),
        new("rest.audit", "the tables equal the documents", AuditCheck.Find),
        new("operator.answers", "an operator's command is refused for a documented reason only", OperatorCheck.Find),
    ];

    /// <summary>The violations of all checks.</summary>
    public static List<Violation> Run(History history) =>
    [
        .. from check in All
           from text in check.Find(history)
           select new Violation(check.Name, text),
    ];
}
