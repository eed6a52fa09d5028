using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>An operator who renews the log's identity leaves a row in the audit trail.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261121110000_RecordedLogIdentities")]
internal sealed class RecordedLogIdentities : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        -- In the function, so that it does not matter from where an operator calls it.
        CREATE OR REPLACE FUNCTION shop.renew_log_identity(is_certain boolean DEFAULT true) RETURNS text
        LANGUAGE sql VOLATILE AS $function$
            UPDATE shop.log_identities SET origin = shop.log_origin() WHERE origin IS NULL;
            INSERT INTO shop.operator_actions (time, actor, action, path)
            SELECT clock_timestamp(), session_user, 'RenewLogIdentity', 'shop.log_identities' WHERE is_certain;
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
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        CREATE OR REPLACE FUNCTION shop.renew_log_identity(is_certain boolean DEFAULT true) RETURNS text
        LANGUAGE sql VOLATILE AS $function$
            UPDATE shop.log_identities SET origin = shop.log_origin() WHERE origin IS NULL;
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
        """);
}
