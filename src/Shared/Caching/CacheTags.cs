using System.Globalization;

namespace ApexShop.Caching;

/// <summary>
/// The words that the Projector raises after a commit and that Queries.Api fences its cached answers with.
/// A document has its own tag, a collection has one, and a list that a filter on a parent narrows has one per parent.
/// </summary>
public static class CacheTags
{
    /// <summary>Every cached answer carries it; raised when single tags cannot be told apart any more.</summary>
    public const string Everything = "*";

    /// <summary>One document, such as <c>products:17</c>.</summary>
    public static string Document(string resource, int id) => string.Create(CultureInfo.InvariantCulture, $"{resource}:{id}");

    /// <summary>Every list over the resource.</summary>
    public static string Collection(string resource) => resource;

    /// <summary>Lists of a resource narrowed to one parent, such as <c>categories:3:products</c>.</summary>
    public static string Of(string parent, int parentId, string resource) =>
        string.Create(CultureInfo.InvariantCulture, $"{parent}:{parentId}:{resource}");
}
