using ApexShop.Resources;

namespace ApexShop.Projector.Rebuilding;

/// <summary>
/// The tables that a rebuild makes anew and exchanges. Everything that is derived from the log is one of them, so that a
/// schema's documents, positions and parked events always belong together.
/// </summary>
internal static class RebuiltTables
{
    /// <summary>Schema in which they are made.</summary>
    public const string Next = "read_next";

    /// <summary>Schema in which those before lie until they are dropped.</summary>
    public const string Previous = "read_previous";

    public static IReadOnlyList<string> Beside { get; } =
    [
        "segments", "category_segments", "product_ratings", "product_changes", "product_words", "checkpoints", "parked_events",
    ];

    public static IReadOnlyList<string> All { get; } = [.. Resource.Names, .. Beside];

    /// <summary>The others stay where they are: whoever adds a table says in one of the two lists what it is.</summary>
    public static IReadOnlyList<string> Kept { get; } = ["dead_letters", "projection_state", "rebuilds", "schema_versions"];
}
