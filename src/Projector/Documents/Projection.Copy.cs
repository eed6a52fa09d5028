using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Writes all documents of a kind at once, as a rebuild does.</summary>
internal abstract partial class Projection<TState, TView>
{
    // The side table rows of this many documents are written with one statement for each table.
    private const int ChunkSize = 5_000;

    public Task CopyAsync(
        NpgsqlConnection connection,
        string schema,
        IReadOnlyList<StateChange> changes,
        IDerivedValues values,
        Action copied,
        CancellationToken ct)
    {
        return documents.CopyAsync(connection, schema, changes.Select(Row), ct);

        Document<TView> Row(StateChange change)
        {
            copied();
            return Document(change, change.State is TState state ? Derive(View(state), values) : null);
        }
    }

    public async Task SummariseCopiedAsync(
        StatementBatch statements, IReadOnlyList<StateChange> changes, IDerivedValues values, CancellationToken ct)
    {
        foreach (var chunk in changes.Select(change => change.State).OfType<TState>().Chunk(ChunkSize))
        {
            Summarise(
                statements,
                [.. chunk.Select(state => new DocumentChange<TView>(state.Id, null, Derive(View(state), values)))]);
            await statements.RunAsync(ct);
        }
    }
}
