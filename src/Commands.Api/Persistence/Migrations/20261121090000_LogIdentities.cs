using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>The identities of the log, the current one last, and where the log is that has the current one.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261121090000_LogIdentities")]
internal sealed class LogIdentities : Migration
{
    /// <summary>The function with which an operator or a leader renews the identity.</summary>
    internal static string Renewal(string create, string record = "") =>
        $"""
        {create} FUNCTION shop.renew_log_identity(is_certain boolean DEFAULT true) RETURNS text
        LANGUAGE sql VOLATILE AS $function$
            UPDATE shop.log_identities SET origin = shop.log_origin() WHERE origin IS NULL;{record}
            INSERT INTO shop.log_identities (generation, id, common_up_to, origin)
            SELECT max(generation) + 1, left(md5(gen_random_uuid()::text), 12),
                CASE WHEN is_certain THEN 0
                    ELSE (SELECT position FROM shop.log_positions WHERE name = 'head') END,
                shop.log_origin()
            FROM shop.log_identities
            HAVING is_certain OR shop.log_origin() IS DISTINCT FROM
                (SELECT origin FROM shop.log_identities ORDER BY generation DESC LIMIT 1)
            RETURNING id
        $function$;
        """;

    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        $"""
        -- common_up_to: events up to this position are the same as under the identities before; later ones may not be.
        -- origin: null until a process leads.
        CREATE TABLE shop.log_identities (
            generation integer NOT NULL PRIMARY KEY,
            id text NOT NULL UNIQUE,
            common_up_to bigint NOT NULL,
            origin text,
            since timestamptz NOT NULL DEFAULT clock_timestamp()
        );
        REVOKE UPDATE, DELETE ON shop.log_identities FROM commands;
        GRANT UPDATE (origin) ON shop.log_identities TO commands;

        -- Differs after a restore into another cluster, a promotion or a restore to a point in time (the timeline), a
        -- copy of the database, and a restore of the table.
        CREATE FUNCTION shop.log_origin() RETURNS text LANGUAGE sql VOLATILE AS $function$
            SELECT concat_ws('.',
                (SELECT system_identifier FROM pg_control_system()),
                left(pg_walfile_name(pg_current_wal_lsn()), 8),
                (SELECT oid FROM pg_database WHERE datname = current_database()),
                to_regclass('shop.log_identities')::oid)
        $function$;

        -- A leader renews the identity when the origin differs: no event has been sequenced there yet, so all events
        -- are common. An operator renews it always, and it is unknown which events are common.
        {Renewal("CREATE")}

        INSERT INTO shop.log_identities (generation, id, common_up_to)
        VALUES (1, left(md5(gen_random_uuid()::text), 12), 0);
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        DROP FUNCTION shop.renew_log_identity(boolean);
        DROP FUNCTION shop.log_origin();
        DROP TABLE shop.log_identities;
        """);
}
