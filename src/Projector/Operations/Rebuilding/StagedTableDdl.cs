using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Creates the tables of <see cref="StagedTables"/>.</summary>
internal static class StagedTableDdl
{
    /// <summary>The number of products of each category, which the documents of categories show.</summary>
    public const string CountCategoriesSql = $"""
        DROP TABLE IF EXISTS {RebuiltTables.StagedPrefix}category_segments;
        CREATE UNLOGGED TABLE {RebuiltTables.StagedPrefix}category_segments AS
        SELECT category_id, count(*) AS product_count FROM {RebuiltTables.StagedPrefix}products
        WHERE NOT is_deleted GROUP BY category_id;
        CREATE INDEX ON {RebuiltTables.StagedPrefix}category_segments (category_id)
        """;

    // Not logged: they are not needed after a crash, nor on a replica.
    private const string CheckpointsSql =
        $"CREATE UNLOGGED TABLE {RebuiltTables.StagedPrefix}checkpoints (LIKE {ReadTables.Checkpoints})";

    /// <summary>All but the number of products.</summary>
    public static string CreateSql { get; } = string.Join(
        ';',
        [
            .. Resource.Names.Select(DocumentsSql), StagedTotalTables.CreateSql, StagedSuspects.CreateSql,
            CheckpointsSql,
        ]);

    private static string DocumentsSql(string resource) => $"""
        CREATE UNLOGGED TABLE {RebuiltTables.StagedPrefix}{resource} (LIKE {ReadTables.Of(resource)});
        ALTER TABLE {RebuiltTables.StagedPrefix}{resource} DROP COLUMN revision, DROP COLUMN data
        """;
}
