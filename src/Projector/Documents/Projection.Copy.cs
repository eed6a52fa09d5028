using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Writes all documents of a kind at once, as a rebuild does.</summary>
internal abstract partial class Projection<TState, TView>
{
    // The side table rows of this many documents are written with one statement for each table.
    private const int ChunkSize = 5_000;

    public async Task<CopiedDocuments> CopyAsync(
        NpgsqlConnection connection,
        string schema,
        IReadOnlyList<StateChange> changes,
        IDerivedValues values,
        Action copied,
        CancellationToken ct)
    {
        var written = new List<DocumentChange<TView>>(changes.Count);
        await documents.CopyAsync(connection, schema, changes.Select(Row), ct);
        return new Copied(this, written);

        Document<TView> Row(StateChange change)
        {
            var document = Document(change, change.State is TState state ? Derive(View(state), values) : null);
            if (document.View is { } view) written.Add(new(document.Id, null, view));
            copied();
            return document;
        }
    }

    private sealed class Copied(Projection<TState, TView> projection, List<DocumentChange<TView>> written)
        : CopiedDocuments
    {
        public override async Task SummariseAsync(StatementBatch statements, CancellationToken ct)
        {
            foreach (var chunk in written.Chunk(ChunkSize))
            {
                projection.Summarise(statements, chunk);
                await statements.RunAsync(ct);
            }
        }
    }
}
