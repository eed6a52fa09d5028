using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>Removes old events that later ones replace; the role of the process may remove no others.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261122110000_LogCompaction")]
internal sealed class LogCompaction : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        -- Up to this position the earlier events of each aggregate were removed.
        CREATE TABLE shop.log_compaction (
            only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
            position bigint NOT NULL DEFAULT 0
        );
        INSERT INTO shop.log_compaction DEFAULT VALUES;

        -- The position of the last event of a type that was removed.
        CREATE TABLE shop.log_removals (
            type text PRIMARY KEY,
            position bigint NOT NULL
        );
        CREATE INDEX webhook_deliveries_position_idx ON shop.webhook_deliveries (position);
        REVOKE INSERT, UPDATE, DELETE ON shop.log_compaction, shop.log_removals FROM commands;

        -- Goes on with the next events, at most so many, that are older than the time: for each the earlier events of
        -- its aggregate are removed. An event stays until it is published and each webhook has passed it, and while a
        -- webhook still has to deliver it. Without a row there is nothing to do, or another process does it. The clock
        -- of a process may be ahead of that of the database.
        CREATE FUNCTION shop.compact_log(before timestamptz, size integer) RETURNS TABLE (removed bigint)
        LANGUAGE plpgsql STRICT SECURITY DEFINER SET search_path = pg_catalog AS $function$
        DECLARE
            first bigint;
            last bigint;
        BEGIN
            IF before > clock_timestamp() - interval '23 hours' THEN
                RAISE EXCEPTION 'Events are kept for a day.' USING ERRCODE = 'invalid_parameter_value';
            END IF;
            SELECT c.position INTO first FROM shop.log_compaction AS c FOR UPDATE SKIP LOCKED;
            SELECT coalesce(min(next.position) FILTER (WHERE next.time >= before) - 1, max(next.position)) INTO last
            FROM (
                SELECT e.position, e.time FROM shop.events AS e
                WHERE e.position > first AND e.position <= least(
                    (SELECT l.position FROM shop.log_positions AS l WHERE l.name = 'published'),
                    (SELECT min(w.position) FROM shop.webhooks AS w))
                ORDER BY e.position LIMIT least(size, 10000)) AS next;
            IF last > first THEN
                WITH latest AS (
                    SELECT e.resource, e.aggregate_id, max(e.position) AS position FROM shop.events AS e
                    WHERE e.position > first AND e.position <= last GROUP BY 1, 2
                ), gone AS (
                    DELETE FROM shop.events AS e USING latest
                    WHERE e.resource = latest.resource AND e.aggregate_id = latest.aggregate_id
                        AND e.position < latest.position
                        AND NOT EXISTS (SELECT FROM shop.webhook_deliveries AS d WHERE d.position = e.position)
                    RETURNING e.type, e.position
                ), noted AS (
                    INSERT INTO shop.log_removals AS r (type, position)
                    SELECT gone.type, max(gone.position) FROM gone GROUP BY 1
                    ON CONFLICT (type) DO UPDATE SET position = greatest(r.position, excluded.position)
                )
                SELECT count(*) INTO removed FROM gone;
                UPDATE shop.log_compaction AS c SET position = last;
                RETURN NEXT;
            END IF;
        END
        $function$;
        REVOKE EXECUTE ON FUNCTION shop.compact_log(timestamptz, integer) FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION shop.compact_log(timestamptz, integer) TO commands;
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        DROP FUNCTION shop.compact_log(timestamptz, integer);
        DROP INDEX shop.webhook_deliveries_position_idx;
        DROP TABLE shop.log_removals, shop.log_compaction;
        """);
}
