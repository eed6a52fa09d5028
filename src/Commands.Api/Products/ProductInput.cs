using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands.Validation;
using ApexShop.Commands.Api.Limits;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// The editable fields of a product: name 1 to 200 characters, description up to 2,000, price 0 to
/// 9,999,999,999,999,999.99 with at most two decimals, stock 0 to 2,147,483,647; by default active and not featured.
/// A replacement without a stock keeps the current one.
/// </summary>
internal static class ProductInput
{
    // Nullable and required, so that a missing number differs from 0.
    public sealed record Body(
        [Required, SingleLine(Limit.Name)] string Name,
        [Required, Money] decimal? Price,
        [Required, Range(0, int.MaxValue)] int? Stock,
        [Required] int? CategoryId,
        [Multiline(Limit.Description)] string? Description = null,
        bool IsActive = true,
        bool IsFeatured = false)
    {
        internal Replacement ToReplacement() =>
            new(Name, Price, CategoryId, Stock, Description, IsActive, IsFeatured);
    }

    public record Replacement(
        [Required, SingleLine(Limit.Name)] string Name,
        [Required, Money] decimal? Price,
        [Required] int? CategoryId,
        [Range(0, int.MaxValue)] int? Stock = null,
        [Multiline(Limit.Description)] string? Description = null,
        bool IsActive = true,
        bool IsFeatured = false);

    [ValidatableType]
    public sealed record Item(
        [Required] int? Id,
        string Name,
        decimal? Price,
        int? CategoryId,
        int? Stock = null,
        string? Description = null,
        bool IsActive = true,
        bool IsFeatured = false,
        long? Version = null)
        : Replacement(Name, Price, CategoryId, Stock, Description, IsActive, IsFeatured), IReplacementItem;
}
