using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Writes all documents of a kind, as a rebuild does.</summary>
internal abstract partial class Projection<TState, TView>
{
    // Documents that are in memory at a time.
    private const int ChunkSize = 2_000;

    public Task StageAsync(
        NpgsqlConnection connection, string prefix, IEnumerable<StateChange> changes, CancellationToken ct) =>
        documents.StageAsync(
            connection,
            prefix,
            changes.Select(change => Document(change, change.State is TState state ? View(state) : null)),
            ct);

    public virtual void FillSideTables(StatementBatch statements)
    {
    }

    public async Task<DocumentChunk?> NextAsync(StatementBatch staged, long after, CancellationToken ct)
    {
        var plain = documents.Next(staged, after, ChunkSize);
        await staged.RunAsync(ct);
        if (plain.Count == 0) return null;
        var values = new LoadedValues(staged);
        LoadValues(values, [.. plain.Select(document => document.View).OfType<TView>()]);
        await staged.RunAsync(ct);
        return new Chunk(
            this,
            plain.ConvertAll(document => document.View is { } view
                ? document with { View = Derive(view, values) }
                : document));
    }

    private sealed class Chunk(Projection<TState, TView> projection, List<Document<TView>> documents)
        : DocumentChunk([.. documents.Select(document => document.Id)])
    {
        public override Task CopyAsync(
            NpgsqlConnection connection, string prefix, bool isEmptied, CancellationToken ct) =>
            projection.documents.CopyAsync(connection, prefix, documents.Select(Rendered), isEmptied, ct);

        private Document<TView> Rendered(Document<TView> document) =>
            document.View is { } view ? document with { Body = projection.documents.Render(view) } : document;
    }
}
