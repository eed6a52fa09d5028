using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Limits;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>The fields of a review: rating 1 to 5, comment up to 2,000 characters.</summary>
internal static class ReviewInput
{
    public sealed record Body(
        [Required] int? ProductId,
        [Required] int? UserId,
        [Required, Range(1, 5)] int? Rating,
        [Multiline(FixedLimits.Comment)] string? Comment = null);

    /// <summary>User and product of a review never change.</summary>
    public record Replacement(
        [Required, Range(1, 5)] int? Rating, [Multiline(FixedLimits.Comment)] string? Comment = null);

    [ValidatableType]
    public sealed record Item([Required] int? Id, int? Rating, string? Comment = null, long? Version = null)
        : Replacement(Rating, Comment), IReplacementItem;
}
