using System.ComponentModel.DataAnnotations;

namespace ApexShop.Commands.Api.Commands.Validation;

/// <summary>Text of an exact form; the regular expression alone would accept the empty text.</summary>
internal abstract class TextFormAttribute(int max, string pattern, string rule) : RegularExpressionAttribute(pattern)
{
    public int Max => max;

    public override bool IsValid(object? value) =>
        value is not string text || (text.Length > 0 && text.Length <= max && base.IsValid(text));

    public override string FormatErrorMessage(string name) => $"The field {name} {rule}";
}
