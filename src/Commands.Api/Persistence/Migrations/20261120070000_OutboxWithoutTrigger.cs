using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// The leader is woken after the commit, by <see cref="Outbox.OutboxSignal"/>, and no longer inside the transaction: one that notifies
/// makes all others that do wait until it is on the disk.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261120070000_OutboxWithoutTrigger")]
internal sealed class OutboxWithoutTrigger : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        DROP TRIGGER outbox_announces_rows ON shop.outbox;
        DROP FUNCTION shop.announce_outbox;
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        CREATE FUNCTION shop.announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $function$
        BEGIN
            PERFORM pg_notify('apexshop_outbox', '');
            RETURN NULL;
        END
        $function$;

        CREATE TRIGGER outbox_announces_rows AFTER INSERT ON shop.outbox
            FOR EACH STATEMENT EXECUTE FUNCTION shop.announce_outbox();
        """);
}
