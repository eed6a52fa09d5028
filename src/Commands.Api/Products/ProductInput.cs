using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands.Validation;
using ApexShop.Commands.Api.Limits;
using ApexShop.Events;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// The editable fields of a product: name 1 to 200 characters, description up to 2,000, price 0 to
/// 9,999,999,999,999,999.99 with at most two decimals, stock 0 to 2,147,483,647; by default active and not featured.
/// A replacement without a stock keeps the current one. The SKU and the slug, 1 to 64 and 1 to 120 characters, are
/// optional and unique; there may be 10 images. A replacement without them removes them.
/// </summary>
internal static class ProductInput
{
    // Nullable and required, so that a missing number differs from 0.
    public sealed record Body(
        [Required, SingleLine(FixedLimits.Name)] string Name,
        [Required, Money] decimal? Price,
        [Required, Range(0, int.MaxValue)] int? Stock,
        [Required] int? CategoryId,
        [Multiline(FixedLimits.Description)] string? Description = null,
        bool IsActive = true,
        bool IsFeatured = false,
        [Sku] string? Sku = null,
        [Slug] string? Slug = null,
        [Length(0, FixedLimits.Images), NoNulls] IReadOnlyList<Image>? Images = null)
    {
        internal Replacement ToReplacement() =>
            new(Name, Price, CategoryId, Stock, Description, IsActive, IsFeatured, Sku, Slug, Images);
    }

    public record Replacement(
        [Required, SingleLine(FixedLimits.Name)] string Name,
        [Required, Money] decimal? Price,
        [Required] int? CategoryId,
        [Range(0, int.MaxValue)] int? Stock = null,
        [Multiline(FixedLimits.Description)] string? Description = null,
        bool IsActive = true,
        bool IsFeatured = false,
        [Sku] string? Sku = null,
        [Slug] string? Slug = null,
        [Length(0, FixedLimits.Images), NoNulls] IReadOnlyList<Image>? Images = null);

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
        string? Sku = null,
        string? Slug = null,
        IReadOnlyList<Image>? Images = null,
        long? Version = null)
        : Replacement(Name, Price, CategoryId, Stock, Description, IsActive, IsFeatured, Sku, Slug, Images),
            IReplacementItem;

    /// <summary>
    /// An image of a product: a URL or a path of the shop, a text in place of the image up to 300 characters, and its
    /// size of 1 to 20,000 pixels.
    /// </summary>
    public sealed record Image(
        [Required, ImageUrl] string Url,
        [Required, Range(1, FixedLimits.ImageSide)] int? Width,
        [Required, Range(1, FixedLimits.ImageSide)] int? Height,
        [SingleLine(FixedLimits.ImageText)] string? Alt = null)
    {
        internal static Image Of(ProductImageState state) => new(state.Url, state.Width, state.Height, state.Alt);

        internal ProductImageState ToState() => new(Url, Alt, Width!.Value, Height!.Value);
    }
}
