namespace ApexShop.TestKit;

/// <summary>
/// SQL around the insert of very many rows: their indexes take less time when they are made afterwards. Both parts run
/// in one session, whose settings have the definitions: the owner of the tables may not create temporary ones.
/// </summary>
public static class DroppedIndexes
{
    /// <summary>Makes them again.</summary>
    public const string MakeAgain = """
        DO $$ DECLARE made text; BEGIN
            FOREACH made IN ARRAY string_to_array(current_setting('dropped.indexes'), ';;') LOOP EXECUTE made; END LOOP;
        END $$;
        """;

    /// <summary>Drops the indexes of tables, except for those of the primary keys.</summary>
    public static string Of(params IEnumerable<string> tables)
    {
        var indexes = "FROM pg_index WHERE NOT indisprimary "
            + $"AND indrelid = ANY (string_to_array('{string.Join(',', tables)}', ',')::regclass[])";
        return $"""
            SELECT set_config('dropped.indexes', string_agg(pg_get_indexdef(indexrelid), ';;'), false) {indexes};
            DO $$ DECLARE dropped regclass; BEGIN
                FOR dropped IN SELECT indexrelid {indexes} LOOP EXECUTE 'DROP INDEX ' || dropped; END LOOP;
            END $$;
            """;
    }
}
