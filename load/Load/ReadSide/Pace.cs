namespace ApexShop.Load.ReadSide;

/// <summary>
/// How a benchmark runs: whom it tells how far it is, and whether it only shows that everything works.
/// </summary>
internal sealed record Pace(TextWriter Progress, bool IsQuick)
{
    public const string Quick = "quick";

    public int WarmUps(int usual) => IsQuick ? 1 : usual;

    public int Rounds(int usual) => IsQuick ? 1 : usual;

    public TimeSpan Turn(double seconds) => TimeSpan.FromSeconds(IsQuick ? 1 : seconds);

    public Task SayAsync(string line) => Progress.WriteLineAsync(line);
}
