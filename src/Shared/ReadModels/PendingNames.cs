namespace ApexShop.ReadModels;

/// <summary>
/// How queries read documents while names are pending: the name of another document has changed, and the documents that
/// show it are not all written again. In one statement, so that a change of a name is shown by all documents at once.
/// </summary>
public static class PendingNames
{
    /// <summary>The body with the new names; <paramref name="row"/> is the alias of the row, with its dot.</summary>
    public static string Body(string resource, string row = "") => $"""
        CASE WHEN EXISTS (SELECT FROM {ReadTables.PendingNames} WHERE kind = '{resource}')
            THEN {ReadTables.Schema}.with_pending_names('{resource}', {row}revision, {row}body) ELSE {row}body END
        """;

    /// <summary>The revision of that body. It differs from the revision of the stored body.</summary>
    public static string Revision(string resource) =>
        $"greatest(revision, (SELECT max(revision) FROM {ReadTables.PendingNames} WHERE kind = '{resource}'))";
}
