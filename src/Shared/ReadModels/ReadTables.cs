namespace ApexShop.ReadModels;

/// <summary>
/// The tables of the read side, which the Projector writes and Queries.Api reads. In schema <c>read</c> each resource
/// has a table of documents with the resource's name.
/// </summary>
public static class ReadTables
{
    /// <summary>Ids per segment: an unfiltered stream is cached and reloaded in segments of this many ids.</summary>
    public const int SegmentSize = 500;

    /// <summary>
    /// The segment whose version is added to those of all segments of its kind: very many documents changed at once.
    /// </summary>
    public const int AllSegments = -1;

    /// <summary>The epoch of <see cref="ProjectionState"/>, in a row that no projection transaction updates.</summary>
    public const string Epoch = "read.epoch";

    public const string Schema = "read";
    public const string Segments = "read.segments";
    public const string CategorySegments = "read.category_segments";
    public const string ProductRatings = "read.product_ratings";
    public const string ProductChanges = "read.product_changes";
    public const string ProductWords = "read.product_words";
    public const string ProductNameWords = "read.product_name_words";
    public const string NameWordCounts = "read.name_word_counts";
    public const string OrderTotals = "read.order_totals";
    public const string ReviewTotals = "read.review_totals";
    public const string Changes = "read.changes";
    public const string PendingNames = "read.pending_names";
    public const string Checkpoints = "read.checkpoints";
    public const string ProjectionState = "read.projection_state";
    public const string RaisedTags = "read.raised_tags";
    public const string ParkedEvents = "read.parked_events";

    /// <summary>The document table of a resource, with its schema.</summary>
    public static string Of(string resource) => $"{Schema}.{resource}";
}
