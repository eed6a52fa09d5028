using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;

namespace ApexShop.Projector.Documents;

internal abstract partial class Projection<TState, TView>(
    string kind, JsonTypeInfo<TState> states, JsonTypeInfo<TView> views, IReadOnlyList<Column<TView>> columns)
    : IProjection
    where TState : class, IAggregateState
    where TView : class
{
    private readonly DocumentWriter<TView> documents = new(kind, views, columns);

    public string Kind => kind;

    public IAggregateState ReadState(LogEntry entry)
    {
        IAggregateState? state = entry.Type.EndsWith(".deleted", StringComparison.Ordinal)
            ? JsonSerializer.Deserialize(entry.Data.Span, EventJson.Reading<DeletedState>())
            : JsonSerializer.Deserialize(entry.Data.Span, states);
        if (state?.Id != entry.AggregateId) throw new JsonException("The data is not of the event's subject.");
        if (state is TState living && !IsWhole(living)) throw new JsonException("A part of the data is null.");
        return state;
    }

    public async Task<Action<StatementBatch>> ApplyAsync(
        StatementBatch statements, IReadOnlyList<StateChange> changes, DependentDocuments dependents, Invalidations invalidations, CancellationToken ct)
    {
        var stored = documents.Load(statements, [.. changes.Select(change => change.State.Id)]);
        var plain = changes.Select(change => change.State is TState state ? View(state) : null).ToList();
        var derive = Derive(statements, [.. plain.OfType<TView>()]);
        await statements.RunAsync(ct);

        var before = stored.ToDictionary(document => document.Id, document => document.View);
        var after = changes.Zip(plain, (change, view) => New(change, view is null ? null : derive(view))).ToList();
        var documentChanges = after.ToDictionary(
            document => document.Id,
            document => new DocumentChange<TView>(document.Id, before.GetValueOrDefault(document.Id), document.View));
        var written = new List<DocumentChange<TView>>(after.Count);
        documents.Put(statements, after, id => written.Add(documentChanges[id]));
        foreach (var documentChange in documentChanges.Values) FindDependents(documentChange, dependents);
        return next =>
        {
            foreach (var documentChange in written) Invalidate(documentChange, invalidations);
            Summarise(next, written);
        };
    }

    public async Task<DeletedRows> DeleteAsync(StatementBatch statements, int[] ids, DependentDocuments dependents, Invalidations invalidations, CancellationToken ct)
    {
        var stored = documents.Load(statements, ids);
        var revision = 0L;
        // The columns may name other parents than the body does.
        documents.Delete(statements, ids, Referring, found => revision = Math.Max(revision, found), (parent, id) =>
        {
            dependents.Add(parent, id);
            invalidations.ListOf(parent, id, kind);
        });
        Recount(statements, ids);
        await statements.RunAsync(ct);

        var said = stored.ToDictionary(document => document.Id, document => document.View);
        foreach (var id in ids)
        {
            var documentChange = new DocumentChange<TView>(id, said.GetValueOrDefault(id), null);
            FindDependents(documentChange, dependents);
            Invalidate(documentChange, invalidations);
            invalidations.Counted(kind, id);
            foreach (var referrers in ShownIn) dependents.Add(referrers, id);
        }

        return new(revision, next => Summarise(next, [.. ids.Select(id => new DocumentChange<TView>(id, null, null))]));
    }

    public async Task RefreshAsync(StatementBatch statements, int[] ids, long revision, Invalidations invalidations, CancellationToken ct)
    {
        var stored = documents.Load(statements, ids);
        await statements.RunAsync(ct);
        if (stored.Count == 0) return;

        var derive = Derive(statements, [.. stored.Select(document => document.View!)]);
        await statements.RunAsync(ct);

        var differing = new List<Document<TView>>();
        var documentChanges = new List<DocumentChange<TView>>();
        foreach (var document in stored)
        {
            var view = derive(document.View!);
            var body = documents.Render(view);
            if (body.AsSpan().SequenceEqual(document.Body)) continue;

            differing.Add(document with { Revision = revision, View = view, Body = body });
            documentChanges.Add(new(document.Id, document.View, view));
            Invalidate(documentChanges[^1], invalidations);
        }

        documents.Put(statements, differing, _ => { });
        Summarise(statements, documentChanges);
    }

    /// <summary>Columns that name another document which shows something of this one or has it in a list.</summary>
    protected virtual IReadOnlyList<(string Column, string Kind)> Referring => [];

    /// <summary>The documents of other kinds that show a name of this one.</summary>
    protected virtual IReadOnlyList<ReferenceQuery> ShownIn => [];

    /// <summary>Whether nothing is missing that the serializer does not insist on.</summary>
    protected virtual bool IsWhole(TState state) => true;

    /// <summary>The document of a state, with nothing derived yet.</summary>
    protected abstract TView View(TState state);

    /// <summary>Asks for what the views show of other kinds; the answer, after the round, puts it into each.</summary>
    protected abstract Func<TView, TView> Derive(IDerivedValueSource values, IReadOnlyCollection<TView> plain);

    /// <summary>Names the documents of other kinds that show something that differs between the two.</summary>
    protected abstract void FindDependents(DocumentChange<TView> change, DependentDocuments dependents);

    /// <summary>Counts again what the documents of these ids are derived from, when nothing of it is trusted.</summary>
    protected virtual void Recount(StatementBatch statements, int[] ids)
    {
    }

    /// <summary>Brings up to date what stands beside the documents that were written.</summary>
    protected virtual void Summarise(StatementBatch statements, IReadOnlyList<DocumentChange<TView>> written)
    {
    }

    /// <summary>The documents whose lists of this kind the view stands in.</summary>
    protected abstract IEnumerable<(string Kind, int Id)> Parents(TView view);

    private Document<TView> New(StateChange change, TView? view)
    {
        var body = view is null ? null : documents.Render(view);
        return new(change.State.Id, change.State.Version, change.Entry.Position, view, body);
    }

    private void Invalidate(DocumentChange<TView> change, Invalidations invalidations)
    {
        invalidations.Document(kind, change.Id);
        if (change.Before is null != change.After is null) invalidations.Counted(kind, change.Id);
        foreach (var view in (ReadOnlySpan<TView?>)[change.Before, change.After])
        {
            if (view is null) continue;
            foreach (var (parent, parentId) in Parents(view)) invalidations.ListOf(parent, parentId, kind);
        }
    }
}
