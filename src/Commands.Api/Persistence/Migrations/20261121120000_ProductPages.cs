using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// SKU, slug and images of products. No row is written again: the columns are null or have a constant default.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261121120000_ProductPages")]
internal sealed class ProductPages : Migration
{
    private const string Columns =
        """
        ALTER TABLE shop.products ADD COLUMN sku varchar(64), ADD COLUMN slug varchar(120),
            ADD COLUMN images json DEFAULT '[]' NOT NULL;
        CREATE UNIQUE INDEX products_sku_idx ON shop.products (sku) WHERE sku IS NOT NULL;
        CREATE UNIQUE INDEX products_slug_idx ON shop.products (slug) WHERE slug IS NOT NULL;

        """;

    protected override void Up(MigrationBuilder migrationBuilder) =>
        migrationBuilder.Sql(Columns + StateSql.Read("product_state_2"));

    protected override void Down(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.Sql(
            """
            ALTER TYPE shop.product_json DROP ATTRIBUTE sku, DROP ATTRIBUTE slug, DROP ATTRIBUTE images;
            """);
        var first = StateSql.Read("product_state");
        migrationBuilder.Sql(first[first.IndexOf("CREATE OR REPLACE", StringComparison.Ordinal)..]);
        migrationBuilder.Sql(
            "ALTER TABLE shop.products DROP COLUMN sku, DROP COLUMN slug, DROP COLUMN images;");
    }
}
