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
/// Without format characters (Unicode's category Cf) and those of other categories that are blank or change nothing by
/// themselves: with one, an address that reads as another person's would be another address.
/// </summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class VisibleAttribute() : ValidationAttribute("The field {0} must not contain invisible characters.")
{
    public override bool IsValid(object? value) =>
        value is not string text
        || text.EnumerateRunes().All(one => Rune.GetUnicodeCategory(one) != UnicodeCategory.Format && !IsBlank(one));

    // The combining grapheme joiner, fillers of Hangul, vowels of Khmer, selectors of variants, an empty braille cell.
    private static bool IsBlank(Rune one) => one.Value is 0x034F or 0x115F or 0x1160 or 0x17B4 or 0x17B5
        or (>= 0x180B and <= 0x180F) or 0x2800 or 0x3164 or (>= 0xFE00 and <= 0xFE0F) or 0xFFA0
        or (>= 0xE0100 and <= 0xE01EF);
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
