using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// The first answer to each Idempotency-Key, until it expires. Neither the key nor the request is in it, only what
/// compares them, and an answer once given cannot be rewritten.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261120064000_IdempotencyKeys")]
internal sealed class IdempotencyKeys : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        CREATE TABLE shop.idempotency_keys (
            key_hash bytea NOT NULL PRIMARY KEY,
            request_hash bytea NOT NULL,
            answer json NOT NULL,
            created_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL
        );

        CREATE INDEX idempotency_keys_expires_at_idx ON shop.idempotency_keys (expires_at);

        REVOKE UPDATE ON shop.idempotency_keys FROM commands;
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql("DROP TABLE shop.idempotency_keys;");
}
