using System.Globalization;

namespace ApexShop.Projector.Parking;

/// <summary>An aggregate as events name it, such as <c>products/17</c>.</summary>
internal readonly record struct Subject(string Resource, int Id)
{
    /// <summary>Comes before all of them.</summary>
    public static Subject First { get; } = new("", -1);

    /// <summary>Null when the text names none.</summary>
    public static Subject? Parse(string text) =>
        text.Split('/') is [var resource, var number] && Resources.Resource.Exists(resource)
        && int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var id)
            ? new Subject(resource, id)
            : null;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Resource}/{Id}");
}
