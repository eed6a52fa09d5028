using ApexShop.Commands.Api.Commands;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Commands;

public sealed class ConstraintProblemsTests
{
    private readonly ConstraintProblems problems =
        new([new("products_sku_key", "product.sku_taken", "Another product has this SKU.")]);

    [Theory]
    [InlineData("products_sku_key", "product.sku_taken")]
    [InlineData("orders_pkey", "version.overtaken")]
    [InlineData("orders_total_key", "data.conflict")]
    [InlineData(null, "data.conflict")]
    public void A_violated_constraint_has_its_problem(string? constraint, string code)
    {
        var refused = new PostgresException(
            "duplicate", "ERROR", "ERROR", PostgresErrorCodes.UniqueViolation, constraintName: constraint);

        problems.Find(new InvalidOperationException("", refused))!.Code.ShouldBe(code);
    }
}
