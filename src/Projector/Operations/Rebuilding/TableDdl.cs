using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Creates tables from PostgreSQL's catalog, so that the migrations stay their only definition.</summary>
internal static class TableDdl
{
    private const string Tables = """
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = ANY($3) AND c.relkind = 'r'
        """;

    private const string DropSql = """
        SELECT 'DROP TABLE ' || string_agg(format('%I.%I', schemaname, tablename), ', ') FROM pg_tables
        WHERE schemaname = $1 AND ($2 = '{}' OR tablename = ANY($2)) HAVING count(*) > 0
        """;

    // LIKE leaves out the storage parameters and gives indexes new names.
    private const string CreateSql = $"""
        SELECT format('CREATE TABLE %I.%I (LIKE %I.%I INCLUDING ALL EXCLUDING INDEXES)%s',
            $2, c.relname, n.nspname, c.relname, ' WITH (' || array_to_string(c.reloptions, ', ') || ')')
        {Tables}
        """;

    // Nor does LIKE copy how many values the planner's statistics of a column have.
    private const string StatisticsSql = $"""
        SELECT format('ALTER TABLE %I.%I ALTER COLUMN %I SET STATISTICS %s', $2, t.relname, a.attname, a.attstattarget)
        FROM (SELECT c.oid, c.relname {Tables}) t JOIN pg_attribute a ON a.attrelid = t.oid
        WHERE a.attstattarget >= 0 AND a.attnum > 0 AND NOT a.attisdropped
        """;

    private const string GrantSql = $"""
        SELECT format('GRANT %s ON %I.%I TO %s', a.privilege_type, $2, t.relname,
            CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
        FROM (SELECT c.relname, c.relowner, c.relacl {Tables}) t CROSS JOIN LATERAL aclexplode(t.relacl) a
        WHERE a.grantee <> t.relowner
        """;

    private const string KeySql = $"""
        SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $2, t.relname, k.conname, pg_get_constraintdef(k.oid))
        FROM (SELECT c.oid, c.relname {Tables}) t JOIN pg_constraint k ON k.conrelid = t.oid
        WHERE k.contype IN ('p', 'u', 'x') ORDER BY k.conname
        """;

    private const string IndexSql = $"""
        SELECT replace(pg_get_indexdef(i.indexrelid), format(' ON %I.%I ', $1, t.relname),
            format(' ON %I.%I ', $2, t.relname))
        FROM (SELECT c.oid, c.relname {Tables}) t JOIN pg_index i ON i.indrelid = t.oid
        WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
            AND NOT EXISTS (SELECT FROM pg_class n JOIN pg_class o ON o.relname = n.relname
                WHERE n.relnamespace = $2::regnamespace AND o.oid = i.indexrelid)
        ORDER BY i.indexrelid
        """;

    /// <summary>Drops these tables of the schema; without names, every table.</summary>
    public static Task DropAsync(
        NpgsqlConnection connection, string schema, CancellationToken ct, params IEnumerable<string> tables) =>
        ExecuteAsync(connection, DropSql, [schema, tables.ToArray()], ct);

    /// <summary>
    /// Creates all tables with their keys, and without other indexes, which are built faster after the rows.
    /// </summary>
    public static async Task CreateAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await ExecuteAsync(connection, CreateSql, arguments, ct);
        await ExecuteAsync(connection, StatisticsSql, arguments, ct);
        await ExecuteAsync(connection, GrantSql, arguments, ct);
        await ExecuteAsync(connection, KeySql, arguments, ct);
    }

    /// <summary>Builds the other indexes of all tables, but for those that exist, and analyses the tables.</summary>
    public static async Task IndexAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await ExecuteAsync(connection, IndexSql, arguments, ct);
        await ExecuteAsync(
            connection, $"SELECT format('ANALYZE %I.%I', $2, c.relname) {Tables}", arguments, ct);
    }

    private static readonly object[] arguments =
        [ReadTables.Schema, RebuiltTables.Next, RebuiltTables.All.ToArray()];

    // The query returns statements, which are then executed.
    private static async Task ExecuteAsync(
        NpgsqlConnection connection, string query, object[] arguments, CancellationToken ct)
    {
        var statements = new List<string>();
        await using (var command = new NpgsqlCommand(query, connection))
        {
            foreach (var argument in arguments) command.Parameters.Add(new NpgsqlParameter { Value = argument });
            await using var rows = await command.ExecuteReaderAsync(ct);
            while (await rows.ReadAsync(ct)) statements.Add(rows.GetString(0));
        }

        foreach (var statement in statements)
        {
            await using var command = new NpgsqlCommand(statement, connection);
            await command.ExecuteNonQueryAsync(ct);
        }
    }
}
