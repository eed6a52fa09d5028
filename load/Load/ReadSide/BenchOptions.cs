namespace ApexShop.Load.ReadSide;

/// <summary>
/// The options of a benchmark: the output for its progress, and whether it is only a quick check.
/// </summary>
internal sealed record BenchOptions(TextWriter Progress, bool IsQuick)
{
    public const string Quick = "quick";

    public int WarmUps(int usual) => IsQuick ? 1 : usual;

    public int Rounds(int usual) => IsQuick ? 1 : usual;

    public TimeSpan Turn(double seconds) => TimeSpan.FromSeconds(IsQuick ? 1 : seconds);

    public Task ReportAsync(string line) => Progress.WriteLineAsync(line);
}
