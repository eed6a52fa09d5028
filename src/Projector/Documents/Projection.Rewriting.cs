namespace ApexShop.Projector.Documents;

/// <summary>Deletes documents, and derives stored documents again.</summary>
internal abstract partial class Projection<TState, TView>
{
    public async Task DeleteAsync(
        StatementBatch statements,
        int[] ids,
        DependentDocuments dependents,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var stored = documents.Load(statements, ids);
        FindShowing(statements, ids, dependents, invalidations);
        documents.Delete(statements, ids);
        Recount(statements, ids);
        await statements.RunAsync(ct);

        var before = stored.ToDictionary(document => document.Id, document => document.View);
        foreach (var id in ids)
        {
            var change = new DocumentChange<TView>(id, before.GetValueOrDefault(id), null);
            FindDependents(change, dependents);
            Invalidate(change, invalidations);
            invalidations.AddCount(kind, id);
        }

        Summarise(
            statements, [.. ids.Select(id => new DocumentChange<TView>(id, null, null) { IsBeforeKnown = false })]);
    }

    public void RecountTotals(StatementBatch statements, DependentDocuments dependents)
    {
        if (Totals is var (table, _) && dependents.Documents.TryGetValue(table.ShownIn, out var ids))
            table.Recount(statements, [.. ids]);
    }

    public async Task RefreshAsync(
        StatementBatch statements, int[] ids, Invalidations invalidations, CancellationToken ct)
    {
        var stored = documents.Load(statements, ids);
        await statements.RunAsync(ct);
        if (stored.Count == 0) return;

        var values = new LoadedValues(statements);
        LoadValues(values, [.. stored.Select(document => document.View!)]);
        await statements.RunAsync(ct);

        var (after, documentChanges) = (new List<Document<TView>>(), new List<DocumentChange<TView>>());
        foreach (var document in stored)
        {
            var view = Derive(document.View!, values);
            var body = documents.Render(view);
            if (body.AsSpan().SequenceEqual(document.Body)) continue;
            documentChanges.Add(new(document.Id, document.View, view));
            after.Add(document with { View = view, Body = body });
        }

        documents.Put(statements, after);
        Complete(statements, documentChanges, invalidations);
    }

    public void WriteNames(StatementBatch statements, int[] ids, Invalidations invalidations)
    {
        documents.WriteNames(statements, ids);
        invalidations.AddCollection(kind);
    }

    // Everything that may show something of these rows or have them in a list: their bodies cannot be read, or their
    // columns refer to other documents.
    private void FindShowing(
        StatementBatch statements, int[] ids, DependentDocuments dependents, Invalidations invalidations)
    {
        foreach (var query in ShownIn)
        {
            foreach (var id in ids) dependents.Add(query, id);
        }

        documents.FindReferences(statements, ids, References, (parent, id) =>
        {
            dependents.Add(parent, id);
            invalidations.AddList(parent, id, kind);
        });
    }
}
