using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>Webhooks, and the deliveries of theirs that failed or wait behind one that failed.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261122100000_Webhooks")]
internal sealed class Webhooks : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        CREATE TABLE shop.webhooks (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            url text NOT NULL,
            description text NOT NULL,
            types text[] NOT NULL,
            is_active boolean NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            key_id bytea NOT NULL,
            secret_id uuid NOT NULL DEFAULT gen_random_uuid(),
            earlier_secret_id uuid,
            earlier_secret_until timestamptz,
            position bigint NOT NULL,
            failures integer NOT NULL DEFAULT 0,
            failing_since timestamptz,
            last_failure text,
            next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            revision bigint NOT NULL DEFAULT 0,
            claim bigint NOT NULL DEFAULT 0,
            claimed_until timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT webhooks_url_key UNIQUE (url)
        );

        CREATE TABLE shop.webhook_deliveries (
            webhook_id integer NOT NULL REFERENCES shop.webhooks ON DELETE CASCADE,
            position bigint NOT NULL,
            type text NOT NULL,
            resource text NOT NULL,
            aggregate_id integer NOT NULL,
            attempts integer NOT NULL,
            failing_since timestamptz,
            last_failure text,
            next_attempt_at timestamptz,
            parked_at timestamptz,
            PRIMARY KEY (webhook_id, position)
        );
        CREATE INDEX webhook_deliveries_aggregate_idx
            ON shop.webhook_deliveries (webhook_id, resource, aggregate_id, position);
        CREATE INDEX webhook_deliveries_due_idx
            ON shop.webhook_deliveries (webhook_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        "DROP TABLE shop.webhook_deliveries; DROP TABLE shop.webhooks;");
}
