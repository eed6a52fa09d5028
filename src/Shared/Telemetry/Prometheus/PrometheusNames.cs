using System.Globalization;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>
/// Names and texts in the Prometheus format: <c>apexshop.command.duration</c> with unit s becomes
/// <c>apexshop_command_duration_seconds</c>.
/// </summary>
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

    /// <summary>The name of a metric with the suffix of its unit and, for a counter, the suffix total.</summary>
    public static string Metric(string instrument, string? unit, bool isCounter)
    {
        var name = Plain(instrument);
        // A unit in braces ("{event}") is an annotation and not part of the name.
        if (unit is { Length: > 0 } && unit[0] != '{')
            name = WithSuffix(name, units.GetValueOrDefault(unit, unit == "1" ? "" : Plain(unit)));
        return isCounter ? WithSuffix(name, "total") : name;
    }

    /// <summary>A name of letters, digits and underscores that does not start with a digit.</summary>
    public static string Plain(string name)
    {
        var plain = string.Create(name.Length, name, static (text, name) =>
        {
            for (var i = 0; i < text.Length; i++) text[i] = char.IsAsciiLetterOrDigit(name[i]) ? name[i] : '_';
        });
        return plain.Length > 0 && !char.IsAsciiDigit(plain[0]) ? plain : "_" + plain;
    }

    /// <summary>The escaped value of a label.</summary>
    public static string Label(string value) =>
        Help(value).Replace("\"", "\\\"", StringComparison.Ordinal);

    /// <summary>The escaped text of a HELP line.</summary>
    public static string Help(string text) =>
        text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);

    /// <summary>The value of a tag as text.</summary>
    public static string Value(object? value) => value switch
    {
        null => "",
        true => "true",
        false => "false",
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "",
    };

    private static string WithSuffix(string name, string suffix) =>
        suffix.Length == 0 || name.EndsWith("_" + suffix, StringComparison.Ordinal) ? name : $"{name}_{suffix}";
}
