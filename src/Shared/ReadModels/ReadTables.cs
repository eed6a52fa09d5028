namespace ApexShop.ReadModels;

/// <summary>
/// What the writer (Projector) and the reader (Queries.Api) of the documents must agree on. Each kind has a table
/// of its own in schema <c>read</c>, named like its resource; all of them have the columns below.
/// </summary>
public static class ReadTables
{
    /// <summary>Ids per segment: an unfiltered stream is checked and re-read in pieces of this many ids.</summary>
    public const int SegmentSize = 500;

    public const string Schema = "read";
    public const string Segments = "read.segments";
    public const string CategorySegments = "read.category_segments";
    public const string ProductRatings = "read.product_ratings";
    public const string ProductChanges = "read.product_changes";
    public const string ProductWords = "read.product_words";
    public const string Checkpoints = "read.checkpoints";
    public const string ProjectionState = "read.projection_state";
    public const string ParkedEvents = "read.parked_events";

    /// <summary>The document table of a resource, schema included.</summary>
    public static string Of(string resource) => $"{Schema}.{resource}";
}
