namespace ApexShop.Commands.Api.Results;

/// <summary>How a command ended: a value, or a problem that the caller caused.</summary>
internal abstract record Result(Problem? Problem);

internal sealed record Result<T>(T? Value, Problem? Problem) : Result(Problem)
{
    public static implicit operator Result<T>(T value) => new(value, null);

    public static implicit operator Result<T>(Problem problem) => new(default, problem);
}
