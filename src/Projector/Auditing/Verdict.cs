using ApexShop.Operations;
using ApexShop.Projector.ReadModels;

namespace ApexShop.Projector.Auditing;

/// <summary>
/// Whether a document is what the write side has, judged from a look at the document and a later look at the truth. A
/// version of an aggregate has one state for ever, so equal versions can be compared whatever goes on meanwhile; and a
/// projection that has passed the position of an event has applied it. Null means: right; the change that explains the
/// difference is on its way when <see cref="IsOpen"/>.
/// </summary>
internal readonly record struct Verdict(string? What, bool IsOpen)
{
    private static readonly Verdict right = new(null, false);
    private static readonly Verdict open = new(null, true);

    public static Verdict Of(ExaminedDocument? document, AggregateCheck? truth, long checkpoint)
    {
        var living = document is { IsDeleted: false } ? document : null;
        if (truth?.Version is not { } version) return living is null ? right : WithoutRow(truth, checkpoint);
        if (document is { IsDeleted: true } && document.Version >= version) return Wrong(Differences.Buried);
        if (living?.Version > version) return Wrong(Differences.Ahead);
        if (living?.Version == version) return IsSame(living, truth) ? right : Wrong(Differences.State);

        // The document is behind its row. Row, log and outbox are of one moment: an event of the change is in one of them.
        if (truth.IsWaiting) return open;
        if (truth.LoggedVersion is not { } logged || logged < version) return Wrong(Differences.Unlogged);
        if (truth.Position > checkpoint) return open;
        return Wrong(document is null ? Differences.Missing : living is null ? Differences.Buried : Differences.Behind);
    }

    private static Verdict WithoutRow(AggregateCheck? truth, long checkpoint)
    {
        if (truth is null) return Wrong(Differences.Foreign);
        if (truth.IsWaiting) return open;
        if (!truth.IsDeleted) return Wrong(Differences.Unlogged);
        return truth.Position > checkpoint ? open : Wrong(Differences.Alive);
    }

    private static bool IsSame(ExaminedDocument document, AggregateCheck truth) =>
        document.Checksum is { } checksum
        && string.Equals(Convert.ToHexStringLower(checksum), truth.Checksum, StringComparison.Ordinal);

    private static Verdict Wrong(string what) => new(what, false);
}
