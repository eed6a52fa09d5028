using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of reads: old, absent, invented or mixed documents.</summary>
internal static class ReadBugs
{
    public static IEnumerable<PlantedBug> All =>
    [
        new("reads.own-writes", "a read with a token shows the version before", history =>
            history.Edit(Promised(history, token => token.Version > 1), (token, sight) =>
                sight with { Version = token.Version - 1 })),
        new("reads.own-writes", "a read with a token does not show a new aggregate", history =>
            history.Edit(
                Promised(history, token => token.Version > 0 && IsAlive(history, token)),
                (_, sight) => sight with { Version = 0 })),
        new("reads.own-writes", "a read with a token shows a deleted aggregate", history =>
            history.Edit(Promised(history, token => token.Version == 0), (_, sight) => sight with { Version = 1 })),
        new("reads.monotonic", "a later read shows an earlier version", history =>
        {
            var later = LaterAt(history, withTokens: false);
            return history.Replace(later, later with { Seen = [later.Seen[0] with { Version = 1 }] });
        }),
        new("reads.monotonic", "a document is absent for a moment", history =>
        {
            var later = LaterAt(history, withTokens: false);
            return history.Replace(later, later with { Seen = [later.Seen[0] with { Version = 0 }] });
        }),
        new("reads.session", "another process shows an earlier version", history =>
        {
            var later = LaterAt(history, withTokens: true);
            return history.Replace(later, later with { Seen = [later.Seen[0] with { Version = 1 }] });
        }),
        new("reads.content", "a read shows a version that was never written", history =>
            EditAny(history, sight => sight with { Version = 987_654 })),
        new("reads.content", "a read shows the values of another version", history =>
            EditAny(history, sight => sight with { Digest = sight.Digest + 1 })),
        new("reads.content", "a read shows a change before it was sent", history =>
        {
            var read = Any(history);
            return history.Replace(read, read with { Start = -2, End = -1 });
        }),
        new("reads.content", "a read shows a change that was refused", history =>
        {
            var read = Any(history);
            return history.Without(Shown(history, read));
        }),
    ];

    private static (Attempt Read, Saved Token) Promised(History history, Func<Saved, bool> condition) => (
        from read in history.Reads
        where read.Outcome == Outcome.Acknowledged
        from token in read.Tokens
        where token.Resource == Histories.History.OperationOf(read).Resource && read.Asked.Contains(token.Id)
            && condition(token)
        select (read, token)).First();

    private static History Edit(
        this History history, (Attempt Read, Saved Token) place, Func<Saved, Sight, Sight> edit) =>
        history.Replace(place.Read, place.Read with
        {
            Seen = [.. place.Read.Seen.Select(sight => sight.Id == place.Token.Id ? edit(place.Token, sight) : sight)],
        });

    /// <summary>A read of a document whose client has seen it before, in a version after the first one.</summary>
    private static Attempt LaterAt(History history, bool withTokens) => history.Reads
        .Where(read => read is { Outcome: Outcome.Acknowledged, Seen: [{ Version: > 1 }], Asked.Count: 1 }
            && read.Tokens.Count > 0 == withTokens
            && IsAlive(history, new(Histories.History.OperationOf(read).Resource, read.Seen[0].Id, 1)))
        .GroupBy(read => (read.Client, withTokens ? "" : read.Process,
            withTokens ? read.Operation : read.Path, read.Seen[0].Id))
        .First(same => same.Count() > 1)
        .Last();

    private static bool IsAlive(History history, Saved one) =>
        history.LastOf(one.Resource, one.Id)!.Kind != EventKind.Deleted;

    private static Attempt Any(History history) => history.Reads.First(
        read => read is { Outcome: Outcome.Acknowledged, Seen: [{ Version: > 1 }, ..] }
            && history.AttemptOf(Shown(history, read).Trace) is not null);

    private static LogEvent Shown(History history, Attempt read) => history.EventAt(
        new(Histories.History.OperationOf(read).Resource, read.Seen[0].Id, read.Seen[0].Version))!;

    private static History EditAny(History history, Func<Sight, Sight> edit)
    {
        var read = Any(history);
        return history.Replace(read, read with { Seen = [edit(read.Seen[0]), .. read.Seen.Skip(1)] });
    }
}
