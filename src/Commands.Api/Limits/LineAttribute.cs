using System.ComponentModel.DataAnnotations;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Text of one line, such as a name: no control characters at all.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class LineAttribute(int max) : StringLengthAttribute(max)
{
    protected override ValidationResult? IsValid(object? value, ValidationContext validationContext) =>
        value is string text && text.Any(c => char.IsControl(c) || c is '\u2028' or '\u2029')
            ? new($"The field {validationContext.DisplayName} must not contain control characters or line breaks.", [validationContext.MemberName!])
            : base.IsValid(value, validationContext);
}

/// <summary>Text of several lines, such as a description: of the control characters only tab and line breaks.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class ProseAttribute(int max) : StringLengthAttribute(max)
{
    protected override ValidationResult? IsValid(object? value, ValidationContext validationContext) =>
        value is string text && text.Any(c => char.IsControl(c) && c is not ('\t' or '\n' or '\r'))
            ? new($"The field {validationContext.DisplayName} must not contain control characters besides tab and line breaks.", [validationContext.MemberName!])
            : base.IsValid(value, validationContext);
}
