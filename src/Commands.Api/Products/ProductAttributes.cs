using ApexShop.Commands.Api.Commands.Validation;
using ApexShop.Commands.Api.Limits;

namespace ApexShop.Commands.Api.Products;

/// <summary>The code of a product in the shop's stock.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class SkuAttribute() : TextFormAttribute(
    FixedLimits.Sku, "^[A-Za-z0-9._-]+$", "must be 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'.");

/// <summary>The name of a product in addresses of pages.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class SlugAttribute() : TextFormAttribute(
    Requests.Slug.MaxLength, Requests.Slug.Pattern, Requests.Slug.Rule);

/// <summary>
/// An absolute URL, or a path: not one that begins with //, which browsers read as another host.
/// </summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class ImageUrlAttribute() : TextFormAttribute(
    FixedLimits.ImageUrl,
    $"^(https?://{Host}([/?#]{Rest})?|/(?!/){Rest})$",
    "must be an http or https URL, or a path that begins with one '/', of at most 2048 ASCII characters.")
{
    private const string Host = @"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?";
    private const string Rest = "[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*";
}
