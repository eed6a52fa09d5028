using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;

namespace ApexShop.Projector.ReadModels;

/// <summary>Keeps the documents of one kind.</summary>
internal interface IProjection
{
    string Kind { get; }

    /// <summary>The state an event of this kind carries.</summary>
    /// <exception cref="JsonException">It carries none.</exception>
    IAggregateState Read(LogEntry entry);

    /// <summary>
    /// Adds the changed documents to the round and says which documents of other kinds show something of them. After
    /// the round, what it gives adds what stands beside the documents that were written.
    /// </summary>
    Task<Action<Round>> ApplyAsync(
        Round round, IReadOnlyList<Change> changes, Affected affected, Touched touched, CancellationToken ct);

    /// <summary>Derives again what the documents show of other kinds; what stays the same is not written.</summary>
    Task RefreshAsync(Round round, int[] ids, long revision, Touched touched, CancellationToken ct);
}

/// <summary>A document before and after an event; null where there was or is none.</summary>
internal sealed record Transition<TView>(int Id, TView? Before, TView? After)
    where TView : class;

internal abstract class Projection<TState, TView>(
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

    /// <summary>Whether nothing is missing that the serializer does not insist on.</summary>
    protected virtual bool IsWhole(TState state) => true;

    /// <summary>The document of a state, with nothing derived yet.</summary>
    protected abstract TView View(TState state);

    /// <summary>Asks for what the views show of other kinds; the answer, after the round, puts it into each.</summary>
    protected abstract Func<TView, TView> Derive(Round round, IReadOnlyCollection<TView> plain);

    /// <summary>Names the documents of other kinds that show something that differs between the two.</summary>
    protected abstract void Affect(Transition<TView> change, Affected affected);

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
