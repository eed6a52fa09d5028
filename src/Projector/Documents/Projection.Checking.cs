using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;
using ApexShop.ReadModels;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>What an audit checks and repairs.</summary>
internal abstract partial class Projection<TState, TView>
{
    // A segment without documents needs no row.
    private const string CountSql = """
        SELECT WHERE $3 <> coalesce((SELECT document_count FROM read.segments WHERE kind = $1 AND segment = $2), 0)
        """;

    private readonly DocumentChecker<TView> checker = new(kind, views, columns);
    private readonly ChangePlaces places = new(kind);

    // Events are written with other options than they are read with.
    private readonly JsonTypeInfo<TState> written = (JsonTypeInfo<TState>)EventJson.Wire.GetTypeInfo(typeof(TState))!;

    public byte[]? ChecksumOf(IAggregateState state) =>
        state is TState living ? StateChecksum.Of(JsonSerializer.SerializeToUtf8Bytes(living, written)) : null;

    public async Task<DocumentCheckResult> CheckAsync(
        StatementBatch statements, int[] ids, CheckedPart part, CancellationToken ct)
    {
        var rows = checker.Read(statements, ids, part);
        await statements.RunAsync(ct);
        var result = new DocumentCheckResult();
        foreach (var row in rows.OrderBy(row => row.Id)) result.Documents[row.Id] = Checked(row);

        if (part == CheckedPart.Rows) await CompareRowsAsync(statements, rows, result, ct);
        else await CompareDerivedAsync(statements, ids, rows, result, ct);
        return result;
    }

    public async Task RepairSideTablesAsync(
        StatementBatch statements, int[] ids, Invalidations invalidations, CancellationToken ct)
    {
        var living = documents.Load(statements, ids);
        await statements.RunAsync(ct);
        RewriteSideTables(statements, ids, living.ToDictionary(document => document.Id, document => document.View!));
        places.Repair(statements, ids);
        invalidations.AddDocument(kind, ids[0]);
        invalidations.AddCount(kind, ids[0]);
        // Lists may have been sorted, filtered or counted by the wrong values.
        foreach (var document in living) Invalidate(new(document.Id, document.View, document.View), invalidations);
    }

    /// <summary>The state in a document, without derived values.</summary>
    protected abstract TState State(TView view);

    /// <summary>
    /// Compares the side table rows of these documents, but for the <paramref name="unreadable"/> ones, whose body
    /// cannot be read.
    /// </summary>
    protected virtual void CompareSideTables(
        StatementBatch statements,
        int[] ids,
        IReadOnlyCollection<TView> living,
        int[] unreadable,
        List<(string Table, int? Id)> wrong)
    {
    }

    /// <summary>Writes the side table rows of these documents again.</summary>
    protected virtual void RewriteSideTables(
        StatementBatch statements, int[] ids, IReadOnlyDictionary<int, TView> living)
    {
    }

    private CheckedDocument Checked(StoredDocument<TView> row)
    {
        var checksum = row is { IsDeleted: false, View: { } view } ? ChecksumOf(State(view)) : null;
        var checkedDocument = new CheckedDocument(row.Id, row.Version, row.IsDeleted, checksum);
        if (!row.IsDeleted && (row.View is null || State(row.View).Id != row.Id))
            checkedDocument.WrongColumns.Add("body");
        return checkedDocument;
    }

    private async Task CompareRowsAsync(
        StatementBatch statements, List<StoredDocument<TView>> rows, DocumentCheckResult result, CancellationToken ct)
    {
        var expected = new List<Document<TView>>(rows.Count);
        foreach (var row in rows)
        {
            if (row.IsDeleted) expected.Add(new(row.Id, row.Version, null, null));
            else if (row.View is { } view)
                expected.Add(new(row.Id, State(view).Version, view, documents.Render(view)));
        }

        var differences = checker.Compare(statements, expected);
        await statements.RunAsync(ct);
        foreach (var (id, columns) in differences)
        {
            var wrong = result.Documents[id].WrongColumns;
            wrong.AddRange(columns.Except(wrong));
        }
    }

    private async Task CompareDerivedAsync(
        StatementBatch statements,
        int[] ids,
        List<StoredDocument<TView>> rows,
        DocumentCheckResult result,
        CancellationToken ct)
    {
        var living = rows.Where(row => row is { IsDeleted: false, View: not null }).ToList();
        var views = living.ConvertAll(row => row.View!);
        var values = new LoadedValues(statements);
        LoadValues(values, views);
        int[] unreadable = [.. rows.Where(row => row is { IsDeleted: false, View: null }).Select(row => row.Id)];
        CompareSideTables(statements, ids, views, unreadable, result.WrongSideTables);
        places.Compare(statements, ids, result.WrongSideTables);
        statements.Add(
            CountSql,
            _ => result.WrongSideTables.Add((ReadTables.Segments, null)),
            Parameter(kind),
            Parameter(ids[0] / ReadTables.SegmentSize),
            Parameter(rows.Count(row => !row.IsDeleted)));
        await statements.RunAsync(ct);

        foreach (var row in living)
        {
            var isSame = documents.Render(Derive(row.View!, values)).AsSpan().SequenceEqual(
                documents.Render(row.View!));
            result.Documents[row.Id].IsDerivedWrong = !isSame;
        }
    }
}
