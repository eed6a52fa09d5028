namespace ApexShop.Commands.Api.Commands;

/// <summary>The result of a command: a value or a problem.</summary>
internal abstract record Result(Problem? Problem);

/// <summary>A result that generic code can create from a problem.</summary>
internal interface IProblemResult<TSelf>
{
    static abstract TSelf FromProblem(Problem problem);
}

internal sealed record Result<T>(T? Value, Problem? Problem) : Result(Problem), IProblemResult<Result<T>>
{
    public static Result<T> FromProblem(Problem problem) => problem;

    public static implicit operator Result<T>(T value) => new(value, null);

    public static implicit operator Result<T>(Problem problem) => new(default, problem);
}
