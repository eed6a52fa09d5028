using ApexShop.Caching;
using ApexShop.ReadModels;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>What a transaction makes invalid: cache tags, raised after it, and segments, raised in it.</summary>
/// <param name="hasTags">Whether responses may be cached; none is of tables that are not in use.</param>
internal sealed class Invalidations(bool hasTags = true)
{
    // One row, however many segments the kind has.
    private static readonly string raiseAllSql = $"""
        INSERT INTO read.segments AS s (kind, segment, version, document_count)
        SELECT kind, {ReadTables.AllSegments}, 1, 0 FROM unnest($1::text[]) AS k (kind)
        ON CONFLICT (kind, segment) DO UPDATE SET version = s.version + 1
        """;

    private readonly HashSet<string> tags = [];
    private readonly HashSet<string> wholeKinds = [];
    private readonly HashSet<(string Kind, int Segment)> changed = [];
    private readonly HashSet<(string Kind, int Segment)> counted = [];

    public IReadOnlySet<string> Tags => tags;

    public void AddDocument(string kind, int id)
    {
        AddTag(CacheTags.Document(kind, id));
        AddTag(CacheTags.Collection(kind));
        changed.Add((kind, id / ReadTables.SegmentSize));
    }

    /// <summary>Documents of the kind were written that show the same as before: pages of changes have them.</summary>
    public void AddCollection(string kind) => AddTag(CacheTags.Collection(kind));

    public void AddList(string parent, int parentId, string kind) => AddTag(CacheTags.Of(parent, parentId, kind));

    /// <summary>Very many documents of the kind show another name than before.</summary>
    public void AddWholeKind(string kind)
    {
        AddTag(CacheTags.Everything);
        wholeKinds.Add(kind);
    }

    /// <summary>The segment's number of documents may have changed.</summary>
    public void AddCount(string kind, int id) => counted.Add((kind, id / ReadTables.SegmentSize));

    /// <summary>Raises the versions of the segments, and counts the documents of some again.</summary>
    public void RaiseSegments(StatementBatch statements, long position)
    {
        Raise(statements, counted, CountSql, position);
        if (wholeKinds.Count > 0) statements.Add(raiseAllSql, Parameter(wholeKinds.Order().ToArray()));
        Raise(
            statements,
            changed.Except(counted),
            _ => "UPDATE read.segments SET version = greatest(version + 1, $3) WHERE kind = $1 AND segment = ANY($2)",
            position);
    }

    private void AddTag(string tag)
    {
        if (hasTags) tags.Add(tag);
    }

    private static void Raise(
        StatementBatch statements,
        IEnumerable<(string Kind, int Segment)> segments,
        Func<string, string> sql,
        long position)
    {
        foreach (var ofKind in segments.GroupBy(segment => segment.Kind, segment => segment.Segment))
        {
            statements.Add(
                sql(ofKind.Key), Parameter(ofKind.Key), Parameter(ofKind.Order().ToArray()), Parameter(position));
        }
    }

    private static string CountSql(string kind) => $"""
        INSERT INTO read.segments AS s (kind, segment, version, document_count)
        SELECT $1, u.segment, $3, (
            SELECT count(*) FROM {ReadTables.Of(kind)}
            WHERE id >= u.segment * {ReadTables.SegmentSize} AND id < (u.segment + 1)::bigint * {ReadTables.SegmentSize}
                AND NOT is_deleted)
        FROM unnest($2::integer[]) AS u (segment)
        ON CONFLICT (kind, segment) DO UPDATE
        SET version = greatest(s.version + 1, excluded.version), document_count = excluded.document_count
        """;
}
