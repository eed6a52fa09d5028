using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Limits;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Categories;

/// <summary>
/// The editable fields of a category: name 1 to 200 characters, description up to 2,000; by default active.
/// </summary>
internal static class CategoryInput
{
    public record Body(
        [Required, SingleLine(FixedLimits.Name)] string Name,
        [Multiline(FixedLimits.Description)] string? Description = null,
        bool IsActive = true);

    [ValidatableType]
    public sealed record Item(
        [Required] int? Id, string Name, string? Description = null, bool IsActive = true, long? Version = null)
        : Body(Name, Description, IsActive), IReplacementItem;
}
