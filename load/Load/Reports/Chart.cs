using System.Globalization;
using System.Xml.Linq;
using static ApexShop.Load.Reports.Html;

namespace ApexShop.Load.Reports;

/// <summary>One line of a chart; a null is a gap. <paramref name="Style"/> is a, b or c of the page's style.</summary>
internal sealed record Curve(string Name, string Style, IReadOnlyList<(double X, double? Y)> Points);

/// <summary>Line charts as inline SVG, without scripts or external files.</summary>
internal static class Chart
{
    private const double Width = 460;
    private const double Height = 200;
    private const double Left = 52;
    private const double Top = 10;
    private const double Right = 16;
    private const double Bottom = 22;

    /// <summary>Both axes begin at zero.</summary>
    public static XElement Lines(string title, string unit, IReadOnlyList<Curve> curves)
    {
        var points = curves.SelectMany(curve => curve.Points).ToList();
        var (mostX, mostY) = (Nice(points.Max(point => point.X)), Nice(points.Max(point => point.Y ?? 0)));
        double X(double value) => Left + (value / mostX * (Width - Left - Right));
        double Y(double value) => Height - Bottom - (value / mostY * (Height - Top - Bottom));
        return Tag("figure",
            Tag("svg", Is("viewBox", Text($"0 0 {Width} {Height}")), Is("role", "img"), Is("aria-label", title),
                Marks(mostY)
                    .Select(
                        mark => new[]
                        {
                            Line(Left, Y(mark), Width - Right, Y(mark)), Label(Left - 6, Y(mark) + 4, "end", mark),
                        }),
                Marks(mostX).Select(mark => Label(X(mark), Height - 6, "middle", mark)),
                curves.Select(curve => Draw(curve, unit, X, Y))),
            Tag(
                "figcaption", $"{title} ",
                curves.Select(curve => Tag("span", Class($"key-{curve.Style}"), $"\u25CF {curve.Name} "))));
    }

    /// <summary>Five ticks from zero to the end.</summary>
    private static IEnumerable<double> Marks(double most) => Enumerable.Range(0, 5).Select(part => most * part / 4);

    /// <summary>The next 1, 2, 4 or 8 times a power of ten: its quarters are short numbers.</summary>
    private static double Nice(double value)
    {
        if (value <= 0) return 1;
        var power = Math.Pow(10, Math.Floor(Math.Log10(value)));
        return power * ((double[])[1, 2, 4, 8, 10]).First(step => value <= (step * power) + 1e-9);
    }

    // A gap ends a line and begins another.
    private static XElement Draw(Curve curve, string unit, Func<double, double> x, Func<double, double> y)
    {
        var path = new List<string>();
        var pen = 'M';
        foreach (var (px, py) in curve.Points)
        {
            if (py is { } value) path.Add(Text($"{pen}{x(px):0.#} {y(value):0.#}"));
            pen = py is null ? 'M' : 'L';
        }

        var last = curve.Points.LastOrDefault(point => point.Y is not null);
        var most = curve.Points.Max(point => point.Y ?? 0);
        return Tag("path", Class($"curve {curve.Style}"), Is("d", string.Join(' ', path)),
            Tag("title", Text($"{curve.Name}: {last.Y ?? 0:0.##} {unit} at the end, at most {most:0.##} {unit}")));
    }

    private static XElement Line(double x1, double y1, double x2, double y2) =>
        Tag(
            "line", Class("axis"), Is("x1", Text($"{x1:0.#}")), Is("y1", Text($"{y1:0.#}")),
            Is("x2", Text($"{x2:0.#}")), Is("y2", Text($"{y2:0.#}")));

    private static XElement Label(double x, double y, string anchor, double value) =>
        Tag(
            "text", Is("x", Text($"{x:0.#}")), Is("y", Text($"{y:0.#}")), Is("text-anchor", anchor),
            Text($"{value:#,0.###}"));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
