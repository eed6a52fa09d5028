using System.Text;
using System.Text.RegularExpressions;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>The HTML of the storefront with places such as <c>{{price}}</c>, which a view fills.</summary>
internal sealed partial class PageTemplate(string text)
{
    // Every second part is the name of a place.
    private readonly string[] parts = Place().Split(text);

    /// <summary>The page with these values, which are markup already; a place without a value stays empty.</summary>
    public byte[] Fill(IReadOnlyDictionary<string, string> values) => Encoding.UTF8.GetBytes(string.Concat(
        parts.Select((part, i) => i % 2 == 0 ? part : values.GetValueOrDefault(part, ""))));

    [GeneratedRegex(@"\{\{(\w+)\}\}")]
    private static partial Regex Place();
}
