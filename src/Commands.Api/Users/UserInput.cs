using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// What a caller says about a user: e-mail up to 254 characters, names 1 to 100, phone number up to 32, password 8 to
/// 128. A new user needs a password; a replacement without one keeps the old.
/// </summary>
internal static class UserInput
{
    private const string MailAddress = @"^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$";

    public record Body(
        [Required, StringLength(254), RegularExpression(MailAddress, ErrorMessage = "The field {0} must be an e-mail address.")] string Email,
        [Required, StringLength(100)] string FirstName,
        [Required, StringLength(100)] string LastName,
        [Phone, StringLength(32)] string? PhoneNumber = null,
        [StringLength(128, MinimumLength = 8)] string? Password = null,
        bool IsActive = true);

    [ValidatableType]
    public sealed record Item(
        [Required] int? Id,
        string Email,
        string FirstName,
        string LastName,
        string? PhoneNumber = null,
        string? Password = null,
        bool IsActive = true,
        long? Version = null)
        : Body(Email, FirstName, LastName, PhoneNumber, Password, IsActive), IReplacement;
}
