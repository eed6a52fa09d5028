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

    public IAggregateState Read(LogEntry entry)
    {
        IAggregateState? state = entry.Type.EndsWith(".deleted", StringComparison.Ordinal)
            ? JsonSerializer.Deserialize(entry.Data.Span, EventJson.Reading<DeletedState>())
            : JsonSerializer.Deserialize(entry.Data.Span, states);
        if (state?.Id != entry.AggregateId) throw new JsonException("The data is not of the event's subject.");
        if (state is TState living && !IsWhole(living)) throw new JsonException("A part of the data is null.");
        return state;
    }

    public async Task<Action<Round>> ApplyAsync(
        Round round, IReadOnlyList<Change> changes, Affected affected, Touched touched, CancellationToken ct)
    {
        var stored = documents.Load(round, [.. changes.Select(change => change.State.Id)]);
        var plain = changes.Select(change => change.State is TState state ? View(state) : null).ToList();
        var derive = Derive(round, [.. plain.OfType<TView>()]);
        await round.RunAsync(ct);

        var before = stored.ToDictionary(document => document.Id, document => document.View);
        var after = changes.Zip(plain, (change, view) => New(change, view is null ? null : derive(view))).ToList();
        var transitions = after.ToDictionary(
            document => document.Id,
            document => new Transition<TView>(document.Id, before.GetValueOrDefault(document.Id), document.View));
        var written = new List<Transition<TView>>(after.Count);
        documents.Put(round, after, id => written.Add(transitions[id]));
        foreach (var transition in transitions.Values) Affect(transition, affected);
        return next =>
        {
            foreach (var transition in written) Touch(transition, touched);
            Summarise(next, written);
        };
    }

    public async Task<Cleared> ClearAsync(Round round, int[] ids, Affected affected, Touched touched, CancellationToken ct)
    {
        var stored = documents.Load(round, ids);
        var revision = 0L;
        // The columns may name other parents than the body does.
        documents.Delete(round, ids, Referring, found => revision = Math.Max(revision, found), (parent, id) =>
        {
            affected.Add(parent, id);
            touched.ListOf(parent, id, kind);
        });
        Recount(round, ids);
        await round.RunAsync(ct);

        var said = stored.ToDictionary(document => document.Id, document => document.View);
        foreach (var id in ids)
        {
            var transition = new Transition<TView>(id, said.GetValueOrDefault(id), null);
            Affect(transition, affected);
            Touch(transition, touched);
            touched.Counted(kind, id);
            foreach (var referrers in ShownBy) affected.Add(referrers, id);
        }

        return new(revision, next => Summarise(next, [.. ids.Select(id => new Transition<TView>(id, null, null))]));
    }

    public async Task RefreshAsync(Round round, int[] ids, long revision, Touched touched, CancellationToken ct)
    {
        var stored = documents.Load(round, ids);
        await round.RunAsync(ct);
        if (stored.Count == 0) return;

        var derive = Derive(round, [.. stored.Select(document => document.View!)]);
        await round.RunAsync(ct);

        var differing = new List<Document<TView>>();
        var transitions = new List<Transition<TView>>();
        foreach (var document in stored)
        {
            var view = derive(document.View!);
            var body = documents.Render(view);
            if (body.AsSpan().SequenceEqual(document.Body)) continue;

            differing.Add(document with { Revision = revision, View = view, Body = body });
            transitions.Add(new(document.Id, document.View, view));
            Touch(transitions[^1], touched);
        }

        documents.Put(round, differing, _ => { });
        Summarise(round, transitions);
    }

    /// <summary>Columns that name another document which shows something of this one or has it in a list.</summary>
    protected virtual IReadOnlyList<(string Column, string Kind)> Referring => [];

    /// <summary>The documents of other kinds that show a name of this one.</summary>
    protected virtual IReadOnlyList<Referrers> ShownBy => [];

    /// <summary>Whether nothing is missing that the serializer does not insist on.</summary>
    protected virtual bool IsWhole(TState state) => true;

    /// <summary>The document of a state, with nothing derived yet.</summary>
    protected abstract TView View(TState state);

    /// <summary>Asks for what the views show of other kinds; the answer, after the round, puts it into each.</summary>
    protected abstract Func<TView, TView> Derive(ILookups lookups, IReadOnlyCollection<TView> plain);

    /// <summary>Names the documents of other kinds that show something that differs between the two.</summary>
    protected abstract void Affect(Transition<TView> change, Affected affected);

    /// <summary>Counts again what the documents of these ids are derived from, when nothing of it is trusted.</summary>
    protected virtual void Recount(Round round, int[] ids)
    {
    }

    /// <summary>Brings up to date what stands beside the documents that were written.</summary>
    protected virtual void Summarise(Round round, IReadOnlyList<Transition<TView>> written)
    {
    }

    /// <summary>The documents whose lists of this kind the view stands in.</summary>
    protected abstract IEnumerable<(string Kind, int Id)> Parents(TView view);

    private Document<TView> New(Change change, TView? view)
    {
        var body = view is null ? null : documents.Render(view);
        return new(change.State.Id, change.State.Version, change.Entry.Position, view, body);
    }

    private void Touch(Transition<TView> change, Touched touched)
    {
        touched.Document(kind, change.Id);
        if (change.Before is null != change.After is null) touched.Counted(kind, change.Id);
        foreach (var view in (ReadOnlySpan<TView?>)[change.Before, change.After])
        {
            if (view is null) continue;
            foreach (var (parent, parentId) in Parents(view)) touched.ListOf(parent, parentId, kind);
        }
    }
}
