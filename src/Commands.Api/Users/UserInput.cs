using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Limits;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// The editable fields of a user: e-mail up to 254 characters, names 1 to 100, phone number up to 32, password 8 to
/// 128. A new user needs a password; a replacement without one keeps the old one.
/// </summary>
internal static class UserInput
{
    private const string MailAddress = @"^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$";
    private const string NotAnAddress = "The field {0} must be an e-mail address.";

    public record Body(
        [Required, SingleLine(FixedLimits.Email)]
        [RegularExpression(MailAddress, ErrorMessage = NotAnAddress), Visible, NotErased]
        string Email,
        [Required, SingleLine(FixedLimits.PersonName)] string FirstName,
        [Required, SingleLine(FixedLimits.PersonName)] string LastName,
        [Phone, SingleLine(FixedLimits.PhoneNumber)] string? PhoneNumber = null,
        [SingleLine(FixedLimits.Password, MinimumLength = FixedLimits.PasswordAtLeast)] string? Password = null,
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
        : Body(Email, FirstName, LastName, PhoneNumber, Password, IsActive), IReplacementItem;
}

/// <summary>Not the address of an erased person: taken by another user, it would prevent an erasure.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class NotErasedAttribute()
    : ValidationAttribute("The field {0} must not be of the domain erased.invalid.")
{
    public override bool IsValid(object? value) =>
        value is not string text
        || !EmailAddress.Folded(text.TrimEnd()).EndsWith(
            EmailAddress.Folded(ErasedPerson.Domain), StringComparison.Ordinal);
}
