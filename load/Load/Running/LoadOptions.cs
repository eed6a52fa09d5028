using System.Globalization;

namespace ApexShop.Load.Running;

/// <summary>The options of the command line.</summary>
internal sealed record LoadOptions(IReadOnlyList<string> Words, double Rate, double? Seconds, string? Folder)
{
    public const string Usage = "./apexshop load [scenario|group|all ...] [--rate x] [--seconds n]";

    private const double Most = 100_000;

    /// <summary>The options, or the error in the arguments.</summary>
    public static (LoadOptions? Options, string? Problem) Parse(IReadOnlyList<string> args)
    {
        var (words, options) = (new List<string>(), new LoadOptions([], 1, null, null));
        for (var at = 0; at < args.Count; at++)
        {
            var word = args[at];
            if (!word.StartsWith('-'))
            {
                words.Add(word);
                continue;
            }

            if (word is not ("--rate" or "--seconds" or "--report")) return (null, $"There is no option '{word}'.");
            if (++at == args.Count) return (null, $"{word} needs a value.");
            if (word == "--report") options = options with { Folder = args[at] };
            else if (!Number(args[at], out var number))
                return (null, $"{word} needs a number above 0, not '{args[at]}'.");
            else options = word == "--rate" ? options with { Rate = number } : options with { Seconds = number };
        }

        return (options with { Words = words.Count > 0 ? words : [Scenarios.Catalog.All] }, null);
    }

    private static bool Number(string text, out double number) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out number)
            && number is > 0 and <= Most;
}
