namespace ApexShop.Load.Running;

/// <summary>The result of a step: its status, its size and its problem.</summary>
internal class Response(string code, long bytes = 0, string? problem = null)
{
    public string Code { get; } = code;

    public long Bytes { get; } = bytes;

    /// <summary>Null for a correct response.</summary>
    public string? Problem { get; protected set; } = problem;

    public static Response Ok(string code = "ok", long bytes = 0) => new(code, bytes);

    public static Response Fail(string code, string problem) => new(code, 0, problem);
}

/// <summary>
/// Ends an iteration whose step has failed, as later steps depend on it. The failure has been counted.
/// </summary>
internal sealed class StepFailedException(string step) : Exception($"Step {step} failed.")
{
    public string Step { get; } = step;
}
