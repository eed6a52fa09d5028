namespace ApexShop.Requests;

/// <summary>A name in the address of a page, such as <c>walnut-desk-2</c>.</summary>
public static class Slug
{
    public const int MaxLength = 120;

    /// <summary>The rule as a regular expression.</summary>
    public const string Pattern = "^[a-z0-9]+(-[a-z0-9]+)*$";

    /// <summary>What a text must be, in the words of an error.</summary>
    public const string Rule = "must be 1 to 120 characters: words of a-z and 0-9, joined by one '-' each.";

    // Not by the expression, whose $ is also before a line break at the end.
    public static bool IsValid(string text) =>
        text.Length <= MaxLength && text.Split('-').All(word => word.Length > 0 && word.All(IsLetterOrDigit));

    private static bool IsLetterOrDigit(char c) => char.IsAsciiDigit(c) || char.IsAsciiLetterLower(c);
}
