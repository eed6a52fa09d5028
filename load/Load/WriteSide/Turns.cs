using System.Globalization;
namespace ApexShop.Load.WriteSide;

/// <summary>
/// A plain statement and the command that is compared with it, in turns, so that other work of the machine affects
/// both. The outbox is published completely before each turn.
/// </summary>
internal sealed class Turns(BenchShop shop, Func<Task<double>> plain, Func<Task<double>> command)
{
    public List<double> Plain { get; } = [];

    public List<double> Command { get; } = [];

    public IReadOnlyList<double> Ratios => [.. Command.Zip(Plain, (ofCommand, ofPlain) => ofCommand / ofPlain)];

    public async Task TakeAsync(int pairs, string unit, TextWriter progress)
    {
        for (var pair = 1; pair <= pairs; pair++)
        {
            // What the first one leaves behind affects the second one.
            if (pair % 2 == 1) await TakeAsync(Plain, plain);
            await TakeAsync(Command, command);
            if (pair % 2 == 0) await TakeAsync(Plain, plain);
            if (pair % Math.Max(1, pairs / 5) == 0)
                await progress.WriteLineAsync(string.Create(
                    CultureInfo.InvariantCulture,
                    $"  pair {pair} of {pairs}: plain {Plain[^1]:0.0} {unit}, command {Command[^1]:0.0} {unit}, "
                    + $"ratio {Ratios[^1]:0.00}"));
        }
    }

    private async Task TakeAsync(List<double> figures, Func<Task<double>> turn)
    {
        await shop.DrainedAsync();
        figures.Add(await turn());
    }

    /// <summary>The first turns are not counted: the code is being compiled, the caches are empty.</summary>
    public async Task WarmUpAsync(int pairs)
    {
        await TakeAsync(pairs, "", TextWriter.Null);
        Plain.Clear();
        Command.Clear();
    }
}
