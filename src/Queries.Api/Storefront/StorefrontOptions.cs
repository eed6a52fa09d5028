using ApexShop.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>Section <c>Storefront</c>: where customers of the page order.</summary>
internal sealed class StorefrontOptions
{
    public const string Section = "Storefront";

    /// <summary>
    /// The origin of Commands.Api for browsers, such as <c>https://commands.shop.example</c>: customers sign in and
    /// order there, and its <c>Cors:Origins</c> must have the origin of the page. Without it the storefront shows
    /// products and sells nothing.
    /// </summary>
    public string CommandsUrl { get; set; } = "";
}

/// <summary>The value becomes a part of the page's policy, so it can be nothing but an origin.</summary>
internal sealed class StorefrontOptionsValidator : IValidateOptions<StorefrontOptions>
{
    public ValidateOptionsResult Validate(string? name, StorefrontOptions options) =>
        options.CommandsUrl.Length == 0 || CorsSettings.IsOrigin(options.CommandsUrl)
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail("Storefront:CommandsUrl: not an origin.");
}
