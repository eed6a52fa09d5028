using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;

namespace ApexShop.Projector.Documents;

/// <summary>Applies changes in four steps: load, derive, write, summarise.</summary>
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
        if (state is not TState read) return state;
        var whole = Complete(read);
        return IsWhole(whole) ? whole : throw new JsonException("A part of the data is null.");
    }

    public async Task ApplyAsync(
        StatementBatch statements,
        IReadOnlyList<StateChange> changes,
        DependentDocuments dependents,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var unreadable = new List<int>();
        var stored = documents.Load(statements, [.. changes.Select(change => change.State.Id)], unreadable);
        var plain = changes.Select(change => change.State is TState state ? View(state) : null).ToList();
        var values = new LoadedValues(statements);
        LoadValues(values, [.. plain.OfType<TView>()]);
        await statements.RunAsync(ct);

        var before = stored.ToDictionary(document => document.Id, document => document.View);
        var after = changes.Zip(
            plain, (change, view) => Document(change, view is null ? null : Derive(view, values))).ToList();
        var documentChanges = after.ToDictionary(
            document => document.Id,
            document => new DocumentChange<TView>(document.Id, before.GetValueOrDefault(document.Id), document.View)
            {
                IsBeforeKnown = !unreadable.Contains(document.Id),
            });
        foreach (var change in documentChanges.Values) FindDependents(change, dependents);
        if (unreadable.Count > 0) FindShowing(statements, [.. unreadable], dependents, invalidations);

        var written = documents.Put(statements, after);
        dependents.AddQueriesTo(statements);
        await statements.RunAsync(ct);

        Complete(statements, written.ConvertAll(id => documentChanges[id]), invalidations);
        // What was counted of them is not known.
        if (unreadable.Count > 0) RecountTotals(statements, dependents);
    }

    /// <summary>Columns with the id of a document that shows something of this one or has it in a list.</summary>
    protected virtual IReadOnlyList<(string Column, string Kind)> References => [];

    /// <summary>The documents of other kinds that show a name of this one.</summary>
    public virtual IReadOnlyList<ReferenceQuery> ShownIn => [];

    /// <summary>
    /// The totals in which documents of this kind are counted, with the id of the document that shows them and the
    /// value that is added up; null if they are counted in none.
    /// </summary>
    protected virtual (TotalsTable Table, Func<TView, (int Id, decimal Value)> Of)? Totals => null;

    /// <summary>The state with what the writers of older events did not have.</summary>
    protected virtual TState Complete(TState state) => state;

    /// <summary>Whether no part is missing that the serializer does not require.</summary>
    protected virtual bool IsWhole(TState state) => true;

    /// <summary>The document of a state, without derived values.</summary>
    protected abstract TView View(TState state);

    /// <summary>Load: requests what the views show of other kinds.</summary>
    protected abstract void LoadValues(LoadedValues values, IReadOnlyCollection<TView> plain);

    /// <summary>Derive: sets the loaded values in a view.</summary>
    protected abstract TView Derive(TView view, LoadedValues values);

    /// <summary>
    /// Adds the documents of other kinds that show something in which the two views differ; unless overridden, those
    /// that show totals.
    /// </summary>
    protected virtual void FindDependents(DocumentChange<TView> change, DependentDocuments dependents)
    {
        if (Totals is var (table, of)) table.FindChanged(change, of, dependents);
    }

    /// <summary>Counts again what the documents of these ids are derived from, whatever was counted before.</summary>
    protected virtual void Recount(StatementBatch statements, int[] ids)
    {
    }

    /// <summary>Summarise: updates the side tables of the documents that were written.</summary>
    protected virtual void Summarise(StatementBatch statements, IReadOnlyList<DocumentChange<TView>> written)
    {
    }

    /// <summary>The documents in whose lists of this kind the view is.</summary>
    protected abstract IEnumerable<(string Kind, int Id)> Parents(TView view);

    private Document<TView> Document(StateChange change, TView? view)
    {
        var body = view is null ? null : documents.Render(view);
        return new(change.State.Id, change.State.Version, view, body);
    }

    private void Complete(
        StatementBatch statements, IReadOnlyList<DocumentChange<TView>> written, Invalidations invalidations)
    {
        foreach (var change in written) Invalidate(change, invalidations);
        if (Totals is var (table, of)) table.Add(statements, written, of);
        Summarise(statements, written);
    }

    private void Invalidate(DocumentChange<TView> change, Invalidations invalidations)
    {
        invalidations.AddDocument(kind, change.Id);
        if (!change.IsBeforeKnown || change.Before is null != change.After is null)
            invalidations.AddCount(kind, change.Id);
        foreach (var view in (ReadOnlySpan<TView?>)[change.Before, change.After])
        {
            if (view is null) continue;
            foreach (var (parent, parentId) in Parents(view)) invalidations.AddList(parent, parentId, kind);
        }
    }
}
