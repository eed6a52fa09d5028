using System.Globalization;

namespace ApexShop.Prove;

/// <summary>The options of the command line.</summary>
internal sealed record ProveOptions(int Seed, double Seconds, int Clients, string Faults, string Folder)
{
    public const string Usage =
        "./apexshop prove [--seed n] [--seconds s] [--clients c] [--faults list] | --check folder | --synthetic n";

    private const int MostClients = 256;
    private const double MostSeconds = 86_400;

    /// <summary>The options, or the error in the arguments.</summary>
    public static (ProveOptions? Options, string? Problem) Parse(IReadOnlyList<string> args)
    {
        var options = new ProveOptions(Random.Shared.Next(1, 1_000_000), 60, 8, "all", "");
        for (var at = 0; at < args.Count; at += 2)
        {
            if (at + 1 == args.Count) return (null, $"{args[at]} needs a value.");
            var (name, value) = (args[at], args[at + 1]);
            ProveOptions? next = name switch
            {
                "--seed" when Whole(value, int.MaxValue) is { } seed => options with { Seed = seed },
                "--clients" when Whole(value, MostClients) is { } clients => options with { Clients = clients },
                "--seconds" when Number(value) is { } seconds => options with { Seconds = seconds },
                "--faults" => options with { Faults = value },
                "--folder" => options with { Folder = value },
                _ => null,
            };
            if (next is null) return (null, $"{name} {value} is not possible.");
            options = next;
        }

        return (options, null);
    }

    private static int? Whole(string text, int most) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        && number >= 1 && number <= most
            ? number
            : null;

    private static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
        && number is > 0 and <= MostSeconds
            ? number
            : null;
}
