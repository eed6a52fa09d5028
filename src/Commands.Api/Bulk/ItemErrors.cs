using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// The errors of the items of a list, by JSON path, up to <see cref="Problem.MaxErrors"/>. <paramref name="first"/> is
/// the index of the first item, if the list is a part of a longer one.
/// </summary>
internal sealed class ItemErrors(int first = 0)
{
    private readonly Dictionary<string, string[]> errors = [];

    public bool Any => errors.Count > 0;

    public bool Full => errors.Count >= Problem.MaxErrors;

    public void Add(string path, params string[] messages)
    {
        if (!Full) errors.TryAdd(path, messages);
    }

    public void Add(int index, string member, FormattableString message) =>
        Add($"{JsonPath.OfItem(first + index)}.{member}", FormattableString.Invariant(message));

    /// <summary>
    /// Adds an error for every item whose <paramref name="member"/> refers to a row that does not exist.
    /// </summary>
    public void AddUnknown<T>(
        IReadOnlyList<T> items, string member, string what, Func<T, int> idOf, Func<int, bool> exists)
    {
        for (var i = 0; i < items.Count; i++)
        {
            if (idOf(items[i]) is var id && !exists(id)) Add(i, member, $"There is no {what} {id}.");
        }
    }

    public Problem ToProblem() =>
        ToProblem(StatusCodes.Status400BadRequest, "request.invalid", "The request is not valid.");

    public Problem ToProblem(int status, string code, string detail) =>
        new(status, code, Full ? detail + Problem.FirstErrors : detail)
        {
            Extensions = { ["errors"] = errors },
        };
}
