using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Projecting;

/// <summary>Section <c>Shop</c>.</summary>
internal sealed class ShopOptions
{
    public const string Section = "Shop";

    /// <summary>
    /// The currency of all prices, an ISO 4217 code, which products and orders show. When it changes, all documents are
    /// rebuilt; amounts are not converted.
    /// </summary>
    [Required, RegularExpression("[A-Z]{3}")]
    public string Currency { get; set; } = "USD";
}

[OptionsValidator]
internal sealed partial class ShopOptionsValidator : IValidateOptions<ShopOptions>;
