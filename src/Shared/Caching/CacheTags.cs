using System.Globalization;

namespace ApexShop.Caching;

/// <summary>
/// The tags that the Projector invalidates after a commit and that Queries.Api checks its cached responses against.
/// There is a tag per document, per collection, and per parent whose id filters a list.
/// </summary>
public static class CacheTags
{
    /// <summary>A tag of every cached response, for invalidating the whole cache.</summary>
    public const string Everything = "*";

    /// <summary>The tag of a document, such as <c>products:17</c>.</summary>
    public static string Document(string resource, int id) =>
        string.Create(CultureInfo.InvariantCulture, $"{resource}:{id}");

    /// <summary>The tag of every list of the resource.</summary>
    public static string Collection(string resource) => resource;

    /// <summary>The tag of the lists that one parent filters, such as <c>categories:3:products</c>.</summary>
    public static string Of(string parent, int parentId, string resource) =>
        string.Create(CultureInfo.InvariantCulture, $"{parent}:{parentId}:{resource}");
}
