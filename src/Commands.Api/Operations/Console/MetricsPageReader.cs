using System.Globalization;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>Reads a metrics page in the text format of Prometheus.</summary>
internal static class MetricsPageReader
{
    /// <summary>The samples of one metric; lines that cannot be parsed are skipped.</summary>
    public static IEnumerable<(string Labels, double Value)> Samples(string page, string metric)
    {
        foreach (var line in page.Split('\n'))
        {
            if (!line.StartsWith(metric, StringComparison.Ordinal)) continue;
            var open = line.IndexOf('{', StringComparison.Ordinal);
            var close = line.LastIndexOf('}');
            if (open >= 0 && close < open) continue;
            var name = open >= 0 ? line[..open] : line.Split(' ')[0];
            if (name == metric && ValueOf(line[(open >= 0 ? close + 1 : name.Length)..]) is { } value)
                yield return (open >= 0 ? line[(open + 1)..close] : "", value);
        }
    }

    /// <summary>The value of a label; escaped characters are not decoded.</summary>
    public static string? Label(string labels, string name)
    {
        var start = labels.IndexOf(name + "=\"", StringComparison.Ordinal);
        if (start < 0 || (start > 0 && labels[start - 1] != ',')) return null;
        start += name.Length + 2;
        var end = labels.IndexOf('"', start);
        return end < 0 ? null : labels[start..end];
    }

    /// <summary>A finite number or +Inf.</summary>
    public static double? Number(string? text) => text switch
    {
        "+Inf" => double.PositiveInfinity,
        _ when double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
            && double.IsFinite(value) => value,
        _ => null,
    };

    // The value follows the name and the labels; a timestamp may follow the value.
    private static double? ValueOf(string rest) =>
        rest.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [var value, ..]
            && Number(value) is { } number && double.IsFinite(number)
            ? number
            : null;
}
