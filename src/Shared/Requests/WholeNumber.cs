using System.Globalization;

namespace ApexShop.Requests;

/// <summary>A whole number in a path or a query string of both APIs: digits only.</summary>
public static class WholeNumber
{
    /// <summary>What a text must be, in the words of an error.</summary>
    public const string Rule = "must be a whole number in digits, without a sign, spaces or leading zeros.";

    /// <summary>False also for a number that is too large for <paramref name="number"/>.</summary>
    public static bool TryParse(string? text, out long number)
    {
        number = 0;
        return IsWhole(text) && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }

    /// <summary>A number that is too large counts as the largest one.</summary>
    public static bool TryParseAny(string? text, out long number)
    {
        if (!TryParse(text, out number)) number = long.MaxValue;
        return IsWhole(text);
    }

    // The framework's parser alone accepts a sign, spaces and leading zeros, and with every style it accepts zero
    // characters at the end: 1%00 would be 1.
    private static bool IsWhole(string? text) =>
        text is { Length: > 0 }
        && !text.AsSpan().ContainsAnyExceptInRange('0', '9')
        && (text[0] != '0' || text.Length == 1);
}
