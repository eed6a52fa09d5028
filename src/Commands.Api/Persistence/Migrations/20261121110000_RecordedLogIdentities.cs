using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>An operator who renews the log's identity leaves a row in the audit trail.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261121110000_RecordedLogIdentities")]
internal sealed class RecordedLogIdentities : Migration
{
    // In the function, so that it does not matter from where an operator calls it.
    private const string Record =
        """

            INSERT INTO shop.operator_actions (time, actor, action, path)
            SELECT clock_timestamp(), session_user, 'RenewLogIdentity', 'shop.log_identities' WHERE is_certain;
        """;

    protected override void Up(MigrationBuilder migrationBuilder) =>
        migrationBuilder.Sql(LogIdentities.Renewal("CREATE OR REPLACE", Record));

    protected override void Down(MigrationBuilder migrationBuilder) =>
        migrationBuilder.Sql(LogIdentities.Renewal("CREATE OR REPLACE"));
}
