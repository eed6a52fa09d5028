using System.Globalization;
using ApexShop.Errors;

namespace ApexShop.Commands.Api.Commands;

/// <summary>An error of the caller: a status, a stable code, and a sentence; sent as RFC 9457.</summary>
internal sealed record Problem(int Status, string Code, string Detail)
{
    /// <summary>How many of the rows that block a change are listed.</summary>
    public const int MaxListed = 20;

    /// <summary>How many errors of a body are listed: a small body may have very many.</summary>
    public const int MaxErrors = 100;

    /// <summary>What the detail says when not all errors are listed.</summary>
    public static string FirstErrors { get; } =
        string.Create(CultureInfo.InvariantCulture, $" The first {MaxErrors} errors are listed.");

    /// <summary>Further members of the problem, beside its code.</summary>
    public Dictionary<string, object?> Extensions { get; init; } = [];

    /// <summary>The problem of a status that has no other reason.</summary>
    public static Problem Of(int status)
    {
        var (code, detail) = ProblemText.Of(status);
        return new(status, code, detail);
    }

    public static Problem NotFound(string what, int id) =>
        new(StatusCodes.Status404NotFound, $"{what}.not_found", $"There is no {what} {id}.");

    /// <summary>A customer's command in the name of another one.</summary>
    public static Problem OwnOnly() => new(
        StatusCodes.Status403Forbidden, "access.own_only",
        "A customer can create orders and reviews only for their own user id.");

    /// <summary>A command of a customer who was deactivated or deleted after the login.</summary>
    public static Problem CustomerInactive() => new(
        StatusCodes.Status403Forbidden, "access.customer_inactive", "The customer is not an active user any more.");

    public static Problem Conflict(string code, string detail) => new(StatusCodes.Status409Conflict, code, detail);

    /// <summary>The row must stay while rows of another resource refer to it; some of those are listed.</summary>
    public static Problem ReferencedBy(string code, string detail, string resource, IReadOnlyList<int> ids) =>
        BlockedBy(code, detail, new { resource, ids });

    /// <summary>The same for several rows; the first are listed, each with some of the rows that refer to it.</summary>
    public static Problem ReferencedBy(
        string code, string detail, string resource, IEnumerable<RowReference> references)
    {
        var items = references.GroupBy(one => one.Id).OrderBy(row => row.Key).Take(MaxListed)
            .Select(row => new { id = row.Key, ids = row.Select(one => one.ReferencedBy).Order() });
        return BlockedBy(code, detail, new { resource, items });
    }

    public static Problem VersionMismatch(long current) => new(
        StatusCodes.Status412PreconditionFailed,
        "version.mismatch",
        $"If-Match does not name the current version, {current}.")
    {
        Extensions = { ["version"] = current },
    };

    public static Problem Invalid(string path, string message) => Invalid(new() { [path] = [message] });

    public static Problem Invalid(Dictionary<string, string[]> errors) =>
        Invalid("request.invalid", "The request is not valid.", errors);

    public static Problem UnknownParameter(string name) => Invalid(
        "query.invalid",
        "The request has an unknown query parameter.",
        new() { [name] = ["is not a parameter of this endpoint."] });

    private static Problem Invalid(string code, string detail, Dictionary<string, string[]> errors) =>
        new(StatusCodes.Status400BadRequest, code, detail) { Extensions = { ["errors"] = errors } };

    private static Problem BlockedBy(string code, string detail, object blockedBy) =>
        Conflict(code, detail) with { Extensions = new() { [nameof(blockedBy)] = blockedBy } };
}
