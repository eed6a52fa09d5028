using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>The function that removes a person from the events of aggregates, and the index of a user's orders.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261122120000_Erasure")]
internal sealed class Erasure : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(StateSql.Read("erased_state"));

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        DROP INDEX shop.events_orders_of_user_idx;
        DROP FUNCTION shop.erase_from_log(text, integer[]);
        DROP FUNCTION shop.erased_state(text, integer, json);
        """);
}
