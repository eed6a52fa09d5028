namespace ApexShop.Commands.Api.Commands;

/// <summary>How a command ended: a value, or a problem that the caller caused.</summary>
internal abstract record Result(Problem? Problem);

/// <summary>For who refuses commands without knowing what they would have answered.</summary>
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
