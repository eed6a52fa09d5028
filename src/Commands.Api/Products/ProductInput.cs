using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Pipeline;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// What a caller says about a product: name 1 to 200 characters, description up to 2,000, price 0 to
/// 9,999,999,999,999,999.99 with at most two decimals, stock 0 to 2,147,483,647; active and not featured unless said.
/// </summary>
internal static class ProductInput
{
    // A number that is left out must be told from a zero, hence nullable and required.
    public sealed record Body(
        [Required, Line(Limit.Name)] string Name,
        [Required, Money] decimal? Price,
        [Required, Range(0, int.MaxValue)] int? Stock,
        [Required] int? CategoryId,
        [Prose(Limit.Description)] string? Description = null,
        bool IsActive = true,
        bool IsFeatured = false);
}
