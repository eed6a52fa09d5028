using System.Globalization;
namespace ApexShop.Load.ReadSide;

/// <summary>
/// A control and the measured subject, in turns with alternating order, so that other work of the machine
/// affects both.
/// </summary>
internal sealed class Rounds(Func<Task<double>> control, Func<Task<double>> ours)
{
    public List<double> Control { get; } = [];

    public List<double> Ours { get; } = [];

    public IReadOnlyList<double> Ratios => [.. Ours.Zip(Control, (mine, plain) => mine / plain)];

    /// <summary>The first rounds are not counted: the code is being compiled, the caches are empty.</summary>
    public async Task TakeAsync(int warmUps, int rounds, string unit, BenchOptions options)
    {
        for (var round = 1 - warmUps; round <= rounds; round++)
        {
            var isOursFirst = (round & 1) == 0;
            var mine = isOursFirst ? await ours() : 0;
            var plain = await control();
            if (!isOursFirst) mine = await ours();
            if (round <= 0) continue;
            Control.Add(plain);
            Ours.Add(mine);
            await options.ReportAsync(string.Create(
                CultureInfo.InvariantCulture,
                $"  round {round} of {rounds}: control {plain:0.0} {unit}, ours {mine:0.0} {unit}, "
                + $"ratio {mine / plain:0.00}"));
        }
    }
}
