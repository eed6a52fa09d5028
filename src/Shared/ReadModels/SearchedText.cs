namespace ApexShop.ReadModels;

/// <summary>
/// How the text of a product and the text of a search are prepared before PostgreSQL divides them into words. Both are
/// prepared by this, because a search compares their words.
/// </summary>
public static class SearchedText
{
    /// <summary>
    /// The SQL of a text with a comma in place of each sign between two words that PostgreSQL would read as one word:
    /// "oak/walnut" as a path, "desk.solid" as a host, and the end of "phone-12" as the number -12. A dot between two
    /// digits stays, and so do a dash before a digit that follows no letter or digit, and the slash of a tag.
    /// </summary>
    public static string Separated(string text) =>
        $"""regexp_replace({text}, '(?<!<)/(?!>)|[.](?![0-9])|(?<![0-9])[.]|(?<=\w)[-+](?=[0-9])', ',', 'g')""";
}
