using System.ComponentModel.DataAnnotations;

namespace ApexShop.Commands.Api.Categories;

/// <summary>What a caller says about a category: name 1 to 200 characters, description up to 2,000; active unless said otherwise.</summary>
internal static class CategoryInput
{
    public sealed record Body(
        [Required, StringLength(200)] string Name,
        [StringLength(2000)] string? Description = null,
        bool IsActive = true);
}
