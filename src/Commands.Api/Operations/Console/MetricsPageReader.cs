using System.Globalization;
using System.Text.RegularExpressions;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>Reads a metrics page in the text format of Prometheus.</summary>
internal static partial class MetricsPageReader
{
    /// <summary>The samples of one metric; lines that cannot be parsed are skipped.</summary>
    public static IEnumerable<(string Labels, double Value)> Samples(string page, string metric) =>
        from Match line in Sample().Matches(page)
        where line.Groups["name"].Value == metric
        let value = Number(line.Groups["value"].Value)
        where value is { } number && double.IsFinite(number)
        select (line.Groups["labels"].Value, value.Value);

    /// <summary>The value of a label; escaped characters are not decoded.</summary>
    public static string? Label(string labels, string name) =>
        Regex.Match(labels, $"(^|,){name}=\"(?<value>[^\"]*)\"") is { Success: true } label
            ? label.Groups["value"].Value
            : null;

    /// <summary>A finite number or +Inf.</summary>
    public static double? Number(string? text) => text switch
    {
        "+Inf" => double.PositiveInfinity,
        _ when double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
            && double.IsFinite(value) => value,
        _ => null,
    };

    // A timestamp may follow the value.
    [GeneratedRegex(
        @"^(?<name>\w+)(\{(?<labels>.*)\} *| +)(?<value>\S+)", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Sample();
}
