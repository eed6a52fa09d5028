using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class OperatorCheck
{
    // How a rebuild failed that made other documents than the log has; other failures are documented.
    private const string RebuildDefect = "differ from the event log";

    // A server, a process or a lock may be lost to any command.
    private static readonly string[] unavailable =
    [
        "projector.unavailable", "database.unavailable", "log.unavailable", "gateway.unavailable", "lock.timeout",
        "request.timeout",
    ];

    // No migration runs here, so the tables from before a rebuild always have the same schema.
    private static readonly Dictionary<string, (int Status, string Code)[]> refusals = new()
    {
        ["rebuild"] = [(409, "rebuild.running")],
        ["rollback"] = [(409, "rebuild.running"), (409, "rebuild.no_previous"), (409, "rebuild.tables_busy")],
        ["audit"] = [(503, "audit.running")],
        ["heal"] = [],
    };

    public static IEnumerable<string> Find(History history) =>
        from reply in history.Header.Operated ?? []
        let wrong = WrongIn(reply)
        where wrong is not null
        select wrong;

    private static string? WrongIn(OperatorReply reply) => reply switch
    {
        { Status: >= 300 } => IsExpected(reply)
            ? null
            : $"{reply.Command} was refused with {reply.Status} {reply.Code ?? "without a code"}",
        // The last line of a response whose status was sent before the failure.
        { Code: { } code } => unavailable.Contains(code) ? null : $"{reply.Command} failed with {code}",
        // An audit waits for the changes that are under way, so a difference is one at any time.
        { Command: "audit", Result: { } result } => $"an audit {result}",
        { Result: { } result } => result.Contains(RebuildDefect, StringComparison.Ordinal)
            ? $"{reply.Command}: {result}"
            : null,
        _ => null,
    };

    private static bool IsExpected(OperatorReply reply) =>
        (reply.Status == 503 && unavailable.Contains(reply.Code))
        || refusals[reply.Command].Contains((reply.Status, reply.Code ?? ""));
}
