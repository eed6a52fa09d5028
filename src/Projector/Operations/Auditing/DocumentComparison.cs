using ApexShop.Operations;
using ApexShop.Projector.Documents;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// Whether a document is what the write side has, judged from a look at the document and a later look at the truth. A
/// version of an aggregate has one state for ever, so equal versions can be compared whatever goes on meanwhile; and a
/// projection that has passed the position of an event has applied it. Null means: right; the change that explains the
/// difference is on its way when <see cref="IsOpen"/>.
/// </summary>
internal readonly record struct DocumentComparison(string? What, bool IsOpen)
{
    private static readonly DocumentComparison right = new(null, false);
    private static readonly DocumentComparison open = new(null, true);

    public static DocumentComparison Of(CheckedDocument? document, AggregateCheck? row, long checkpoint)
    {
        var living = document is { IsDeleted: false } ? document : null;
        if (row?.Version is not { } version) return living is null ? right : WithoutRow(row, checkpoint);
        if (document is { IsDeleted: true } && document.Version >= version) return Wrong(Difference.Buried);
        if (living?.Version > version) return Wrong(Difference.Ahead);
        if (living?.Version == version) return IsSame(living, row) ? right : Wrong(Difference.State);

        // The document is behind its row. Row, log and outbox are of one moment: an event of the change is in one of them.
        if (row.IsWaiting) return open;
        if (row.LoggedVersion is not { } logged || logged < version) return Wrong(Difference.Unlogged);
        if (row.Position > checkpoint) return open;
        return Wrong(document is null ? Difference.Missing : living is null ? Difference.Buried : Difference.Behind);
    }

    /// <summary>
    /// Judges a document that lagged behind <paramref name="before"/> at an earlier look and whose aggregate goes on
    /// changing, so that it would lag at each look. What has moved beyond that was written anew from a whole state.
    /// </summary>
    public static DocumentComparison OfBusy(CheckedDocument? document, AggregateCheck before, long checkpoint) =>
        document is { IsDeleted: false } && document.Version > before.Version ? right : Of(document, before, checkpoint);

    public static DocumentComparison Wrong(string what) => new(what, false);

    private static DocumentComparison WithoutRow(AggregateCheck? row, long checkpoint)
    {
        if (row is null) return Wrong(Difference.Foreign);
        if (row.IsWaiting) return open;
        if (!row.IsDeleted) return Wrong(Difference.Unlogged);
        return row.Position > checkpoint ? open : Wrong(Difference.Alive);
    }

    private static bool IsSame(CheckedDocument document, AggregateCheck row) =>
        document.Checksum is { } checksum
        && string.Equals(Convert.ToHexStringLower(checksum), row.Checksum, StringComparison.Ordinal);
}
