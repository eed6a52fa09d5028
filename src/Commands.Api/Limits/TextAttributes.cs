using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Text;

namespace ApexShop.Commands.Api.Limits;

/// <summary>One line of text, such as a name, without control characters.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class SingleLineAttribute(int max) : StringLengthAttribute(max)
{
    protected override ValidationResult? IsValid(object? value, ValidationContext validationContext) =>
        value is string text && text.Any(c => char.IsControl(c) || c is '\u2028' or '\u2029')
            ? Invalid(validationContext, "must not contain control characters or line breaks")
            : base.IsValid(value, validationContext);

    internal static ValidationResult Invalid(ValidationContext context, string rule) =>
        new($"The field {context.DisplayName} {rule}.", [context.MemberName!]);
}

/// <summary>
/// Without the characters that no screen shows, Unicode's category Cf: with one, an address that reads as another
/// person's would be another address.
/// </summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class VisibleAttribute() : ValidationAttribute("The field {0} must not contain invisible characters.")
{
    public override bool IsValid(object? value) =>
        value is not string text
        || text.EnumerateRunes().All(one => Rune.GetUnicodeCategory(one) != UnicodeCategory.Format);
}

/// <summary>Text of several lines; tabs and line breaks are the only control characters.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class MultilineAttribute(int max) : StringLengthAttribute(max)
{
    protected override ValidationResult? IsValid(object? value, ValidationContext validationContext) =>
        value is string text && text.Any(c => char.IsControl(c) && c is not ('\t' or '\n' or '\r'))
            ? SingleLineAttribute.Invalid(
                validationContext, "must not contain control characters besides tab and line breaks")
            : base.IsValid(value, validationContext);
}
