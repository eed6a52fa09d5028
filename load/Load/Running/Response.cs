namespace ApexShop.Load.Running;

/// <summary>How a step went: its status, its size, and what was wrong with it.</summary>
internal class Response(string code, long bytes = 0, string? problem = null)
{
    public string Code { get; } = code;

    public long Bytes { get; } = bytes;

    /// <summary>Null when the answer is as it should be.</summary>
    public string? Problem { get; protected set; } = problem;

    public static Response Ok(string code = "ok", long bytes = 0) => new(code, bytes);

    public static Response Fail(string code, string problem) => new(code, 0, problem);
}

/// <summary>
/// Ends an iteration whose step has failed: what follows depends on it. The failure itself is counted already.
/// </summary>
internal sealed class StepFailedException(string step) : Exception($"Step {step} failed.")
{
    public string Step { get; } = step;
}
