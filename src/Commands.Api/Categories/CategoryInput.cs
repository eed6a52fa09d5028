using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Limits;

namespace ApexShop.Commands.Api.Categories;

/// <summary>What a caller says about a category: name 1 to 200 characters, description up to 2,000; active unless said otherwise.</summary>
internal static class CategoryInput
{
    public sealed record Body(
        [Required, Line(Limit.Name)] string Name,
        [Prose(Limit.Description)] string? Description = null,
        bool IsActive = true);
}
