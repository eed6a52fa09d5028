using ApexShop.Resources;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// The tables that a rebuild fills and switches: all that are derived from the event log, so that the documents,
/// checkpoints and parked events of a schema always belong together.
/// </summary>
internal static class RebuiltTables
{
    /// <summary>The schema in which they are filled.</summary>
    public const string Next = "read_next";

    /// <summary>The beginning of the names of the tables that are filled.</summary>
    public const string NextPrefix = Next + ".";

    /// <summary>What the names of <see cref="StagedTables"/> begin with.</summary>
    public const string StagedPrefix = Next + ".staged_";

    /// <summary>The schema of the tables before the last rebuild, until they are dropped.</summary>
    public const string Previous = "read_previous";

    public static IReadOnlyList<string> SideTables { get; } =
    [
        "segments",
        "category_segments",
        "product_ratings",
        "product_changes",
        "product_words",
        "product_name_words",
        "name_word_counts",
        "order_totals",
        "review_totals",
        "changes",
        "pending_names",
        "checkpoints",
        "parked_events",
    ];

    public static IReadOnlyList<string> All { get; } = [.. Resource.Names, .. SideTables];

    /// <summary>The tables that stay in place. A new table is added to one of these lists.</summary>
    public static IReadOnlyList<string> Kept { get; } =
        ["audit_record", "dead_letters", "epoch", "projection_state", "raised_tags", "rebuilds", "schema_versions"];
}
