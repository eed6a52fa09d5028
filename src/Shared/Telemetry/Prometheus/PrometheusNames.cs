using System.Globalization;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>Names and texts as Prometheus writes them: <c>apexshop.command.duration</c> in s is <c>apexshop_command_duration_seconds</c>.</summary>
internal static class PrometheusNames
{
    private static readonly Dictionary<string, string> units = new(StringComparer.Ordinal)
    {
        ["s"] = "seconds",
        ["ms"] = "milliseconds",
        ["us"] = "microseconds",
        ["min"] = "minutes",
        ["h"] = "hours",
        ["d"] = "days",
        ["By"] = "bytes",
        ["KiBy"] = "kibibytes",
        ["MiBy"] = "mebibytes",
        ["Cel"] = "celsius",
        ["%"] = "percent",
    };

    /// <summary>The name of a metric: with its unit at the end, and behind it what a counter ends in.</summary>
    public static string Metric(string instrument, string? unit, bool isCounter)
    {
        var name = Plain(instrument);
        // Words in braces ("{event}") say what is counted, and belong to no name.
        if (unit is { Length: > 0 } && unit[0] != '{') name = Ending(name, units.GetValueOrDefault(unit, unit == "1" ? "" : Plain(unit)));
        return isCounter ? Ending(name, "total") : name;
    }

    /// <summary>A name of letters, digits and underscores that starts with none of the digits.</summary>
    public static string Plain(string name)
    {
        var plain = string.Create(name.Length, name, static (text, name) =>
        {
            for (var i = 0; i < text.Length; i++) text[i] = char.IsAsciiLetterOrDigit(name[i]) ? name[i] : '_';
        });
        return plain.Length > 0 && !char.IsAsciiDigit(plain[0]) ? plain : "_" + plain;
    }

    /// <summary>The value of a label between its quotation marks.</summary>
    public static string Label(string value) =>
        Help(value).Replace("\"", "\\\"", StringComparison.Ordinal);

    /// <summary>A description in its line.</summary>
    public static string Help(string text) =>
        text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);

    /// <summary>A tag's value in words.</summary>
    public static string Value(object? value) => value switch
    {
        null => "",
        true => "true",
        false => "false",
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "",
    };

    private static string Ending(string name, string end) =>
        end.Length == 0 || name.EndsWith("_" + end, StringComparison.Ordinal) ? name : $"{name}_{end}";
}
