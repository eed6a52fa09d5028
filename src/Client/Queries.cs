using System.Text.Json.Serialization;

namespace ApexShop.Client;

/// <summary>An order of products; <see cref="Relevance"/> needs <see cref="ProductQuery.Q"/>.</summary>
public enum ProductSort
{
    [JsonStringEnumMemberName("id")] Id,
    [JsonStringEnumMemberName("price")] Price,
    [JsonStringEnumMemberName("-price")] PriceDescending,
    [JsonStringEnumMemberName("name")] Name,
    [JsonStringEnumMemberName("newest")] Newest,
    [JsonStringEnumMemberName("rating")] Rating,
    [JsonStringEnumMemberName("relevance")] Relevance,
}

/// <summary>An order of categories.</summary>
public enum CategorySort
{
    [JsonStringEnumMemberName("id")] Id,
    [JsonStringEnumMemberName("name")] Name,
}

/// <summary>An order of orders.</summary>
public enum OrderSort
{
    [JsonStringEnumMemberName("id")] Id,
    [JsonStringEnumMemberName("newest")] Newest,
    [JsonStringEnumMemberName("-amount")] AmountDescending,
}

/// <summary>An order of reviews.</summary>
public enum ReviewSort
{
    [JsonStringEnumMemberName("id")] Id,
    [JsonStringEnumMemberName("newest")] Newest,
    [JsonStringEnumMemberName("-rating")] RatingDescending,
}

/// <summary>An order of users.</summary>
public enum UserSort
{
    [JsonStringEnumMemberName("id")] Id,
    [JsonStringEnumMemberName("newest")] Newest,
}

/// <summary>Filters and order of a list of products; what is null does not filter.</summary>
public sealed record ProductQuery
{
    /// <summary>Products of these categories, at most 20.</summary>
    public IReadOnlyList<int>? CategoryId { get; init; }
    public decimal? MinPrice { get; init; }
    public decimal? MaxPrice { get; init; }
    public bool? InStock { get; init; }
    public bool? IsActive { get; init; }
    public bool? IsFeatured { get; init; }
    public DateTimeOffset? ModifiedAfter { get; init; }
    /// <summary>Words that name or description contain; <c>"two words"</c>, <c>-without</c>, <c>begin*</c>.</summary>
    public string? Q { get; init; }
    public ProductSort? Sort { get; init; }
}

/// <summary>Filter and order of a list of categories.</summary>
public sealed record CategoryQuery
{
    public bool? IsActive { get; init; }
    public CategorySort? Sort { get; init; }
}

/// <summary>Filters and order of a list of orders.</summary>
public sealed record OrderQuery
{
    public IReadOnlyList<int>? CustomerId { get; init; }
    public IReadOnlyList<OrderStatus>? Status { get; init; }
    public DateTimeOffset? FromDate { get; init; }
    public DateTimeOffset? ToDate { get; init; }
    public decimal? MinAmount { get; init; }
    public OrderSort? Sort { get; init; }
}

/// <summary>Filters and order of a list of reviews.</summary>
public sealed record ReviewQuery
{
    public IReadOnlyList<int>? ProductId { get; init; }
    public IReadOnlyList<int>? UserId { get; init; }
    public int? MinRating { get; init; }
    public ReviewSort? Sort { get; init; }
}

/// <summary>Filters and order of a list of users.</summary>
public sealed record UserQuery
{
    public bool? IsActive { get; init; }
    public DateTimeOffset? CreatedAfter { get; init; }
    public string? Email { get; init; }
    public UserSort? Sort { get; init; }
}
