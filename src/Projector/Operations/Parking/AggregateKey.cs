using System.Globalization;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>An aggregate, written like the subject of its events: <c>products/17</c>.</summary>
internal readonly record struct AggregateKey(string Resource, int Id)
{
    /// <summary>Sorts before every aggregate.</summary>
    public static AggregateKey First { get; } = new("", -1);

    /// <summary>Null when the text is not the key of an aggregate.</summary>
    public static AggregateKey? Parse(string text) =>
        text.Split('/') is [var resource, var number] && Resources.Resource.Exists(resource)
        && int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var id)
            ? new AggregateKey(resource, id)
            : null;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Resource}/{Id}");
}
