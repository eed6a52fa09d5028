using System.Globalization;
using ApexShop.Projector.Documents;
using ApexShop.Resources;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// A place in the order in which an audit compares, written <c>rows/products/17</c>: one that was interrupted continues
/// there.
/// </summary>
internal readonly record struct AuditPosition(CheckedPart Part, string Kind, int Bucket)
{
    /// <summary>
    /// What is compared, in order: the rows of all documents, and then what is derived from them. Products first: the
    /// documents of categories contain their number.
    /// </summary>
    private static readonly (CheckedPart Part, string Kind)[] passes =
    [
        .. Resource.Names.Select(kind => (CheckedPart.Rows, kind)),
        .. Resource.Names.OrderByDescending(kind => kind == Resource.Products.Name)
            .Select(kind => (CheckedPart.Derived, kind)),
    ];

    /// <summary>The first one.</summary>
    public static AuditPosition First { get; } = StartOf(passes[0]);

    /// <summary>Null when the text is no position.</summary>
    public static AuditPosition? Parse(string text)
    {
        if (text.Split('/') is not [var part, var kind, var number]
            || !int.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var bucket))
            return null;
        var place = Array.FindIndex(passes, pass => NameOf(pass.Part) == part && pass.Kind == kind);
        return place < 0 ? null : new(passes[place].Part, kind, bucket);
    }

    /// <summary>This one, and the start of each pass after it.</summary>
    public IEnumerable<AuditPosition> Passes()
    {
        var first = (Part, Kind);
        return [this, .. passes.SkipWhile(pass => pass != first).Skip(1).Select(StartOf)];
    }

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{NameOf(Part)}/{Kind}/{Bucket}");

    private static AuditPosition StartOf((CheckedPart Part, string Kind) pass) =>
        new(pass.Part, pass.Kind, BucketReader.Lowest);

    private static string NameOf(CheckedPart part) => part == CheckedPart.Rows ? "rows" : "derived";
}
