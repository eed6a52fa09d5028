using ApexShop.Commands.Api.Results;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>What is wrong with the items of a list, by path; so many are enough to start with, whatever their number.</summary>
internal sealed class ItemErrors
{
    public const int NamedAtMost = 100;

    private readonly Dictionary<string, string[]> errors = [];

    public bool Any => errors.Count > 0;

    public bool Full => errors.Count >= NamedAtMost;

    public void Add(string path, params string[] messages)
    {
        if (!Full) errors.TryAdd(path, messages);
    }

    public Problem ToProblem() => ToProblem(StatusCodes.Status400BadRequest, "request.invalid", "The request is not valid.");

    public Problem ToProblem(int status, string code, string detail) =>
        new(status, code, Full ? $"{detail} The first {NamedAtMost} errors are named." : detail)
        {
            Extensions = { ["errors"] = errors },
        };
}
