namespace ApexShop.Commands.Api.Commands;

/// <summary>What a caller can cause: a status, a code that never changes, and a sentence; written as RFC 9457.</summary>
internal sealed record Problem(int Status, string Code, string Detail)
{
    /// <summary>Of the rows in the way so many are named: enough to start with, whatever their number.</summary>
    public const int MaxListed = 20;

    /// <summary>Further members of the problem, beside its code.</summary>
    public Dictionary<string, object?> Extensions { get; init; } = [];

    public static Problem NotFound(string what, int id) =>
        new(StatusCodes.Status404NotFound, $"{what}.not_found", $"There is no {what} {id}.");

    public static Problem Conflict(string code, string detail) => new(StatusCodes.Status409Conflict, code, detail);

    /// <summary>The row must stay while others refer to it; the first of them are named.</summary>
    public static Problem ReferencedBy(string code, string detail, string resource, IReadOnlyList<int> ids) =>
        new(StatusCodes.Status409Conflict, code, detail) { Extensions = { ["blockedBy"] = new { resource, ids } } };

    /// <summary>Some of the rows must stay while others refer to them; the first of them are named, each with some of the others.</summary>
    public static Problem ReferencedBy(string code, string detail, string resource, IEnumerable<BlockedRow> rows) =>
        new(StatusCodes.Status409Conflict, code, detail)
        {
            Extensions =
            {
                ["blockedBy"] = new
                {
                    resource,
                    items = rows.GroupBy(row => row.Id).OrderBy(blocked => blocked.Key).Take(MaxListed)
                        .Select(blocked => new { id = blocked.Key, ids = blocked.Select(row => row.By).Order() }),
                },
            },
        };

    public static Problem VersionMismatch(long current) =>
        new(StatusCodes.Status412PreconditionFailed, "version.mismatch", $"If-Match does not name the current version, {current}.")
        {
            Extensions = { ["version"] = current },
        };

    public static Problem Invalid(string path, string message) =>
        new(StatusCodes.Status400BadRequest, "request.invalid", "The request is not valid.")
        {
            Extensions = { ["errors"] = new Dictionary<string, string[]> { [path] = [message] } },
        };
}
