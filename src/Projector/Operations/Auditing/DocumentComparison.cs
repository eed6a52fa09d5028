using ApexShop.Operations;
using ApexShop.Projector.Documents;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// Compares a document with its row of the write side, which was read after it. A version of an aggregate has one state
/// for ever, so equal versions can be compared while events arrive; and a projection that has passed the position of an
/// event has applied it. <see cref="What"/> is null without a difference; <see cref="IsOpen"/> means that an event
/// which explains the difference is not applied yet.
/// </summary>
internal readonly record struct DocumentComparison(string? What, bool IsOpen)
{
    private static readonly DocumentComparison same = new(null, false);
    private static readonly DocumentComparison open = new(null, true);

    public static DocumentComparison Of(CheckedDocument? document, AggregateCheck? row, long checkpoint)
    {
        var living = document is { IsDeleted: false } ? document : null;
        if (row?.Version is not { } version) return living is null ? same : WithoutRow(row, checkpoint);
        if (document is { IsDeleted: true } && document.Version >= version) return Wrong(Difference.Deleted);
        if (living?.Version > version) return Wrong(Difference.Ahead);
        if (living?.Version == version) return IsSame(living, row) ? same : Wrong(Difference.State);

        // The document is behind its row. Row, log and outbox were read in one snapshot: the event must be in one of
        // them.
        if (row.IsWaiting) return open;
        if (row.LoggedVersion is not { } logged || logged < version) return Wrong(Difference.Unlogged);
        if (row.Position > checkpoint) return open;
        return Wrong(document is null ? Difference.Missing : living is null ? Difference.Deleted : Difference.Behind);
    }

    /// <summary>
    /// Compares a document that was behind the row <paramref name="before"/> earlier and whose aggregate changes so
    /// often that it would be behind each time. A version later than that was written from a whole state.
    /// </summary>
    public static DocumentComparison OfBusy(CheckedDocument? document, AggregateCheck before, long checkpoint) =>
        document is { IsDeleted: false } && document.Version > before.Version ? same : Of(document, before, checkpoint);

    public static DocumentComparison Wrong(string what) => new(what, false);

    private static DocumentComparison WithoutRow(AggregateCheck? row, long checkpoint)
    {
        if (row is null) return Wrong(Difference.Foreign);
        if (row.IsWaiting) return open;
        if (!row.IsDeleted) return Wrong(Difference.Unlogged);
        return row.Position > checkpoint ? open : Wrong(Difference.NotDeleted);
    }

    private static bool IsSame(CheckedDocument document, AggregateCheck row) =>
        document.Checksum is { } checksum
        && string.Equals(Convert.ToHexStringLower(checksum), row.Checksum, StringComparison.Ordinal);
}
