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

    private readonly DocumentChecker<TView> checker = new(kind, views, columns);

    // As events are written, which is not how they are read.
    private readonly JsonTypeInfo<TState> written = (JsonTypeInfo<TState>)EventJson.Wire.GetTypeInfo(typeof(TState))!;

    public byte[]? ChecksumOf(IAggregateState state) =>
        state is TState living ? StateChecksum.Of(JsonSerializer.SerializeToUtf8Bytes(living, written)) : null;

    public async Task<DocumentCheckResult> CheckAsync(StatementBatch statements, int[] ids, CheckedPart part, CancellationToken ct)
    {
        var rows = checker.Look(statements, ids);
        await statements.RunAsync(ct);
        var result = new DocumentCheckResult();
        foreach (var row in rows.OrderBy(row => row.Id)) result.Documents[row.Id] = Checked(row);

        if (part == CheckedPart.Rows) CompareRows(statements, rows, result);
        else await CompareDerivedAsync(statements, ids, rows, result, ct);
        await statements.RunAsync(ct);
        return result;
    }

    public async Task RepairSideTablesAsync(StatementBatch statements, int[] ids, Invalidations invalidations, CancellationToken ct)
    {
        var living = documents.Load(statements, ids);
        await statements.RunAsync(ct);
        RewriteSideTables(statements, ids, living.ToDictionary(document => document.Id, document => document.View!));
        invalidations.Document(kind, ids[0]);
        invalidations.Counted(kind, ids[0]);
        // The lists that a document stands in may have been sorted, narrowed or counted by what was wrong.
        foreach (var document in living) Invalidate(new(document.Id, document.View, document.View), invalidations);
    }

    /// <summary>The state that a document shows, without what is derived.</summary>
    protected abstract TState State(TView view);

    /// <summary>Compares what stands beside the documents of these ids; <paramref name="hidden"/> have a body nobody can read.</summary>
    protected virtual void CompareSideTables(
        StatementBatch statements, int[] ids, IReadOnlyCollection<TView> living, int[] hidden, List<(string Table, int? Id)> wrong)
    {
    }

    /// <summary>Writes anew what stands beside the documents of these ids.</summary>
    protected virtual void RewriteSideTables(StatementBatch statements, int[] ids, IReadOnlyDictionary<int, TView> living)
    {
    }

    private CheckedDocument Checked(StoredDocument<TView> row)
    {
        var checksum = row is { IsDeleted: false, View: { } view } ? ChecksumOf(State(view)) : null;
        var checkedDocument = new CheckedDocument(row.Id, row.Version, row.IsDeleted, checksum);
        if (!row.IsDeleted && (row.View is null || State(row.View).Id != row.Id)) checkedDocument.WrongColumns.Add("body");
        return checkedDocument;
    }

    private void CompareRows(StatementBatch statements, List<StoredDocument<TView>> rows, DocumentCheckResult result)
    {
        var expected = new List<Document<TView>>(rows.Count);
        foreach (var row in rows)
        {
            if (row.IsDeleted) expected.Add(new(row.Id, row.Version, 0, null, null));
            else if (row.View is { } view) expected.Add(new(row.Id, State(view).Version, 0, view, documents.Render(view)));
        }

        checker.Compare(statements, expected, (id, columns) =>
        {
            var wrong = result.Documents[id].WrongColumns;
            wrong.AddRange(columns.Except(wrong));
        });
    }

    private async Task CompareDerivedAsync(
        StatementBatch statements, int[] ids, List<StoredDocument<TView>> rows, DocumentCheckResult result, CancellationToken ct)
    {
        var living = rows.Where(row => row is { IsDeleted: false, View: not null }).ToList();
        var views = living.ConvertAll(row => row.View!);
        var derive = Derive(statements, views);
        int[] hidden = [.. rows.Where(row => row is { IsDeleted: false, View: null }).Select(row => row.Id)];
        CompareSideTables(statements, ids, views, hidden, result.WrongSideTables);
        statements.Add(
            CountSql,
            _ => result.WrongSideTables.Add((ReadTables.Segments, null)),
            StatementBatch.Parameter(kind),
            StatementBatch.Parameter(ids[0] / ReadTables.SegmentSize),
            StatementBatch.Parameter(rows.Count(row => !row.IsDeleted)));
        await statements.RunAsync(ct);

        foreach (var row in living)
        {
            var isSame = documents.Render(derive(row.View!)).AsSpan().SequenceEqual(documents.Render(row.View!));
            result.Documents[row.Id].IsDerivedWrong = !isSame;
        }
    }
}
