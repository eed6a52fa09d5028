using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Options;

namespace ApexShop.Access;

/// <summary>Section <c>Sessions</c>: the tokens of customers.</summary>
public sealed class SessionOptions
{
    public const string Section = "Sessions";

    /// <summary>
    /// The key that signs the tokens of customers: at least 32 bytes as base64, the same for all processes of both
    /// APIs. Without it customers cannot log in, and no token is valid.
    /// </summary>
    [Base64String, RegularExpression(SigningKey.Pattern)]
    [AllowNull]
    public string Key { get; set => field = value ?? ""; } = "";

    /// <summary>How long the token of a customer is valid; Commands.Api writes it.</summary>
    [Range(1, 1440)]
    public int Minutes { get; set; } = 720;
}

[OptionsValidator]
internal sealed partial class SessionOptionsValidator : IValidateOptions<SessionOptions>;
