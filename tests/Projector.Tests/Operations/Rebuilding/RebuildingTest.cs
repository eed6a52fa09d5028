using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>A test that exchanges tables, and begins without those of another one.</summary>
public abstract class RebuildingTest(ReadStore store) : ProjectorTest(store)
{
    public override async Task InitializeAsync()
    {
        await Store.ExecuteAsync($"""
            DO $$ DECLARE t record; BEGIN
                FOR t IN SELECT schemaname, tablename FROM pg_tables
                    WHERE schemaname IN ('{RebuiltTables.Next}', '{RebuiltTables.Previous}') LOOP
                    EXECUTE format('DROP TABLE %I.%I', t.schemaname, t.tablename);
                END LOOP;
            END $$;
            TRUNCATE read.rebuilds;
            """);
        await base.InitializeAsync();
    }

    /// <summary>A shop of a few documents of each kind, in the documents.</summary>
    protected async Task FillAsync()
    {
        await Projector.ApplyAsync(History.Category(1, "Books"), History.Category(2, "Pens"));
        await Projector.ApplyAsync(History.User(1, "Ada", "Lovelace"), History.User(2, "Alan", "Turing"));
        await Projector.ApplyAsync(
            [.. Enumerable.Range(1, 12).Select(id => History.Product(id, $"Product {id}", category: 1 + (id % 2)))]);
        await Projector.ApplyAsync(
            History.Order(1, 1, "Pending", (1, 2, 9.99m), (2, 1, 5m)), History.Order(2, 2, "Cancelled", (3, 1, 1m)));
        await Projector.ApplyAsync(History.Review(1, 1, 1, 5), History.Review(2, 1, 2, 4), History.Review(3, 2, 1, 3));
        await Projector.ApplyAsync(History.Delete("products", 12));
    }

    /// <summary>An event of a product that cannot be read.</summary>
    internal LogEntry Unreadable(int id) =>
        History.Add(
            Resource.Products.Name,
            EventTypes.ProductUpdated,
            id,
            "[]"u8.ToArray(),
            History.NextVersion(Resource.Products.Name, id));

    /// <summary>The documents are what the log says, with everything that stands beside them.</summary>
    protected async Task ShouldBeOfTheLogAsync()
    {
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await Store.TornRowsAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
        (await Store.WrongAsidesAsync()).ShouldBe(0);
    }

    internal static void ShouldBeDone(RebuildStatus status, long differing = 0)
    {
        status.Failure.ShouldBeNull();
        status.State.ShouldBe(RebuildState.Done);
        status.Documents.Values.Sum(kind => kind.Differing).ShouldBe(differing, string.Join(' ', status.Documents));
    }

    /// <summary>Whether it catches up and events are applied: none is under the lock of the rebuild.</summary>
    protected Task<bool> IsCatchingUpAsync() => Store.ScalarAsync<bool>("""
        SELECT to_regclass('read_next.products') IS NOT NULL
            AND EXISTS (SELECT FROM read.projection_state FOR UPDATE SKIP LOCKED)
        """);

    protected Task<long> EpochAsync() => Store.ScalarAsync<long>("SELECT epoch FROM read.projection_state");

    /// <summary>What a schema's tables are, but for where they lie.</summary>
    protected Task<string> ShapeAsync(string schema = "read") => Store.ScalarAsync<string>($"""
        WITH tables AS (SELECT c.* FROM pg_class c WHERE c.relnamespace = '{schema}'::regnamespace AND c.relkind = 'r')
        SELECT string_agg(line, E'\n' ORDER BY line) FROM (
            SELECT 'table ' || concat_ws(' ', relname, pg_get_userbyid(relowner), reloptions, relacl) FROM tables
            UNION ALL
            SELECT 'column ' || concat_ws(' ', t.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
                a.attnotnull, a.attstorage, a.attidentity, a.attstattarget,
                pg_get_expr(d.adbin, d.adrelid))
            FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
            UNION ALL
            SELECT 'index ' || replace(pg_get_indexdef(i.indexrelid), '{schema}.', '') FROM tables t
                JOIN pg_index i ON i.indrelid = t.oid
            UNION ALL
            SELECT 'constraint ' || concat_ws(' ', t.relname, k.conname, pg_get_constraintdef(k.oid)) FROM tables t
                JOIN pg_constraint k ON k.conrelid = t.oid
        ) lines (line)
        """);
}
