using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;
using Npgsql;

namespace ApexShop.Projector.ReadModels;

/// <summary>Keeps the documents of one kind.</summary>
internal interface IProjection
{
    string Kind { get; }

    /// <summary>The state an event of this kind carries.</summary>
    /// <exception cref="JsonException">It carries none.</exception>
    IAggregateState Read(LogEntry entry);

    /// <summary>Writes the changed documents and says which documents of other kinds show something of them.</summary>
    Task ApplyAsync(NpgsqlConnection connection, IReadOnlyList<Change> changes, Affected affected, Touched touched, CancellationToken ct);

    /// <summary>Derives again what the documents show of other kinds; those that stay the same are not written.</summary>
    Task RefreshAsync(NpgsqlConnection connection, int[] ids, long revision, Touched touched, CancellationToken ct);
}

/// <summary>A document before and after an event; null where there was or is none.</summary>
internal sealed record Transition<TView>(int Id, TView? Before, TView? After)
    where TView : class;

internal abstract class Projection<TState, TView>(
    string kind, JsonTypeInfo<TState> states, JsonTypeInfo<TView> views, IReadOnlyList<Column<TView>> columns) : IProjection
    where TState : class, IAggregateState
    where TView : class
{
    private readonly DocumentWriter<TView> documents = new(kind, views, columns);

    public string Kind => kind;

    public IAggregateState Read(LogEntry entry)
    {
        IAggregateState? state = entry.Type.EndsWith(".deleted", StringComparison.Ordinal)
            ? JsonSerializer.Deserialize(entry.Data.Span, EventJson.Wire.DeletedState)
            : JsonSerializer.Deserialize(entry.Data.Span, states);
        if (state?.Id != entry.AggregateId) throw new JsonException("The data is not of the event's subject.");
        return state is TState living && !IsWhole(living) ? throw new JsonException("A part of the data is null.") : state;
    }

    public async Task ApplyAsync(
        NpgsqlConnection connection, IReadOnlyList<Change> changes, Affected affected, Touched touched, CancellationToken ct)
    {
        int[] ids = [.. changes.Select(change => change.State.Id)];
        var before = (await documents.LoadAsync(connection, ids, ct)).ToDictionary(document => document.Id, document => document.View);
        var living = changes.Select(change => change.State).OfType<TState>().Select(View).ToList();
        var derived = living.Count == 0 ? living : await DeriveAsync(connection, living, ct);

        var next = derived.GetEnumerator();
        var after = new List<Document<TView>>(changes.Count);
        foreach (var (entry, state) in changes)
        {
            var view = state is TState && next.MoveNext() ? next.Current : null;
            after.Add(new(state.Id, state.Version, entry.Position, view, view is null ? null : documents.Render(view)));
        }

        var changed = await documents.PutAsync(connection, after, ct);
        var transitions = after.ConvertAll(document => new Transition<TView>(
            document.Id, before.GetValueOrDefault(document.Id), document.View));
        foreach (var transition in transitions) Affect(transition, affected);

        transitions.RemoveAll(transition => !changed.Contains(transition.Id));
        foreach (var transition in transitions) Touch(transition, touched);
        await SummariseAsync(connection, transitions, ct);
    }

    public async Task RefreshAsync(NpgsqlConnection connection, int[] ids, long revision, Touched touched, CancellationToken ct)
    {
        var stored = await documents.LoadAsync(connection, ids, ct);
        if (stored.Count == 0) return;

        var views = await DeriveAsync(connection, [.. stored.Select(document => document.View!)], ct);
        var differing = new List<Document<TView>>();
        foreach (var (document, view) in stored.Zip(views))
        {
            var body = documents.Render(view);
            if (!body.AsSpan().SequenceEqual(document.Body)) differing.Add(document with { Revision = revision, View = view, Body = body });
        }

        var changed = await documents.PutAsync(connection, differing, ct);
        foreach (var document in differing.Where(document => changed.Contains(document.Id)))
        {
            Touch(new(document.Id, document.View, document.View), touched);
        }
    }

    /// <summary>Whether nothing is missing that the serializer does not insist on.</summary>
    protected virtual bool IsWhole(TState state) => true;

    /// <summary>The document of a state, with nothing derived yet.</summary>
    protected abstract TView View(TState state);

    /// <summary>The views, in the same order, with what they show of other kinds as it is now.</summary>
    protected abstract Task<List<TView>> DeriveAsync(NpgsqlConnection connection, IReadOnlyList<TView> plain, CancellationToken ct);

    /// <summary>Names the documents of other kinds that show something that differs between the two.</summary>
    protected abstract void Affect(Transition<TView> change, Affected affected);

    /// <summary>Brings up to date what is counted beside the documents.</summary>
    protected virtual Task SummariseAsync(
        NpgsqlConnection connection, IEnumerable<Transition<TView>> changed, CancellationToken ct) => Task.CompletedTask;

    /// <summary>The documents whose lists of this kind the view stands in.</summary>
    protected abstract IEnumerable<(string Kind, int Id)> Parents(TView view);

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
