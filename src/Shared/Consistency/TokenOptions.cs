using System.ComponentModel.DataAnnotations;
using ApexShop.Access;
using Microsoft.Extensions.Options;

namespace ApexShop.Consistency;

/// <summary>Section <c>Consistency</c>, in both APIs.</summary>
public sealed class TokenOptions
{
    public const string Section = "Consistency";

    /// <summary>
    /// The key that signs consistency tokens: at least 32 bytes as base64, the same in every process of both APIs.
    /// </summary>
    [Required, Base64String, RegularExpression(SigningKey.Pattern)]
    public string Key { get; set; } = "";
}

[OptionsValidator]
internal sealed partial class TokenOptionsValidator : IValidateOptions<TokenOptions>;
