using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>The same documents, not one batch after another but all of a kind at once.</summary>
internal abstract partial class Projection<TState, TView>
{
    // What stands beside so many documents is written with one statement each.
    private const int Piece = 5_000;

    public async Task<IReadOnlyList<Action<StatementBatch>>> CopyAsync(
        NpgsqlConnection connection, string schema, IReadOnlyList<StateChange> changes, IDerivedValueSource known, Action copied, CancellationToken ct)
    {
        var derive = Derive(known, []);
        var written = new List<DocumentChange<TView>>(changes.Count);
        await documents.CopyAsync(connection, schema, Rows(), ct);
        return [.. written.Chunk(Piece).Select(piece => (Action<StatementBatch>)(statements => Summarise(statements, piece)))];

        IEnumerable<Document<TView>> Rows()
        {
            foreach (var change in changes)
            {
                var document = New(change, change.State is TState state ? derive(View(state)) : null);
                if (document.View is not null) written.Add(new(document.Id, null, document.View));
                copied();
                yield return document;
            }
        }
    }
}
