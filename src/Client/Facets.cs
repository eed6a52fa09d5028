namespace ApexShop.Client;

/// <summary>How many products of a list have each value that a page offers as a filter.</summary>
public sealed record ProductFacets(
    IReadOnlyList<CategoryCount> Categories, IReadOnlyList<PriceCount> Prices, IReadOnlyList<RatingCount> Ratings,
    IReadOnlyList<StockCount> Stock, long TotalCount);

/// <summary>The number of products of a category.</summary>
public sealed record CategoryCount(int Id, long Count);

/// <summary>The number of products of a price range; the last range has no end.</summary>
public sealed record PriceCount(long From, long? Below, long Count);

/// <summary>The number of products of a rating, rounded down; 0 stars are products without a review.</summary>
public sealed record RatingCount(int Stars, long Count);

/// <summary>The number of products in stock, or of those that are not.</summary>
public sealed record StockCount(bool InStock, long Count);

internal sealed record SearchSuggestions(IReadOnlyList<SearchSuggestion> Data);

internal sealed record SearchSuggestion(string Text);
