using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Documents;

/// <summary>What an audit asks of the documents of one kind, and what it puts right.</summary>
internal abstract partial class Projection<TState, TView>
{
    // A segment without documents needs no row.
    private const string CountSql = """
        SELECT WHERE $3 <> coalesce((SELECT document_count FROM read.segments WHERE kind = $1 AND segment = $2), 0)
        """;

    private readonly DocumentInspector<TView> inspector = new(kind, views, columns);

    // As events are written, which is not how they are read.
    private readonly JsonTypeInfo<TState> written = (JsonTypeInfo<TState>)EventJson.Wire.GetTypeInfo(typeof(TState))!;

    public byte[]? ChecksumOf(IAggregateState state) =>
        state is TState living ? StateChecksum.Of(JsonSerializer.SerializeToUtf8Bytes(living, written)) : null;

    public async Task<Examination> ExamineAsync(Round round, int[] ids, ExaminedPart part, CancellationToken ct)
    {
        var rows = inspector.Look(round, ids);
        await round.RunAsync(ct);
        var examination = new Examination();
        foreach (var row in rows.OrderBy(row => row.Id)) examination.Documents[row.Id] = Examined(row);

        if (part == ExaminedPart.Rows) CompareRows(round, rows, examination);
        else await CompareDerivedAsync(round, ids, rows, examination, ct);
        await round.RunAsync(ct);
        return examination;
    }

    public async Task MendBesideAsync(Round round, int[] ids, Touched touched, CancellationToken ct)
    {
        var living = documents.Load(round, ids);
        await round.RunAsync(ct);
        Restore(round, ids, living.ToDictionary(document => document.Id, document => document.View!));
        touched.Document(kind, ids[0]);
        touched.Counted(kind, ids[0]);
        // The lists that a document stands in may have been sorted, narrowed or counted by what was wrong.
        foreach (var document in living) Touch(new(document.Id, document.View, document.View), touched);
    }

    /// <summary>The state that a document shows, without what is derived.</summary>
    protected abstract TState State(TView view);

    /// <summary>Compares what stands beside the documents of these ids; <paramref name="hidden"/> have a body nobody can read.</summary>
    protected virtual void CompareBeside(
        Round round, int[] ids, IReadOnlyCollection<TView> living, int[] hidden, List<(string Table, int? Id)> wrong)
    {
    }

    /// <summary>Writes anew what stands beside the documents of these ids.</summary>
    protected virtual void Restore(Round round, int[] ids, IReadOnlyDictionary<int, TView> living)
    {
    }

    private ExaminedDocument Examined(StoredDocument<TView> row)
    {
        var checksum = row is { IsDeleted: false, View: { } view } ? ChecksumOf(State(view)) : null;
        var examined = new ExaminedDocument(row.Id, row.Version, row.IsDeleted, checksum);
        if (!row.IsDeleted && (row.View is null || State(row.View).Id != row.Id)) examined.WrongColumns.Add("body");
        return examined;
    }

    private void CompareRows(Round round, List<StoredDocument<TView>> rows, Examination examination)
    {
        var expected = new List<Document<TView>>(rows.Count);
        foreach (var row in rows)
        {
            if (row.IsDeleted) expected.Add(new(row.Id, row.Version, 0, null, null));
            else if (row.View is { } view) expected.Add(new(row.Id, State(view).Version, 0, view, documents.Render(view)));
        }

        inspector.Compare(round, expected, (id, columns) =>
        {
            var wrong = examination.Documents[id].WrongColumns;
            wrong.AddRange(columns.Except(wrong));
        });
    }

    private async Task CompareDerivedAsync(
        Round round, int[] ids, List<StoredDocument<TView>> rows, Examination examination, CancellationToken ct)
    {
        var living = rows.Where(row => row is { IsDeleted: false, View: not null }).ToList();
        var views = living.ConvertAll(row => row.View!);
        var derive = Derive(round, views);
        int[] hidden = [.. rows.Where(row => row is { IsDeleted: false, View: null }).Select(row => row.Id)];
        CompareBeside(round, ids, views, hidden, examination.WrongBeside);
        round.Add(
            CountSql,
            _ => examination.WrongBeside.Add((ReadTables.Segments, null)),
            Round.Parameter(kind),
            Round.Parameter(ids[0] / ReadTables.SegmentSize),
            Round.Parameter(rows.Count(row => !row.IsDeleted)));
        await round.RunAsync(ct);

        foreach (var row in living)
        {
            var isSame = documents.Render(derive(row.View!)).AsSpan().SequenceEqual(documents.Render(row.View!));
            examination.Documents[row.Id].IsDerivedWrong = !isSame;
        }
    }
}
