using System.Globalization;
using System.Text.Json.Serialization;

namespace ApexShop.Prove.Histories;

/// <summary>The own values of an aggregate, the same whether they come from an event or from a document.</summary>
internal sealed record AggregateState
{
    private const string Erased = "@erased.invalid";

    public static AggregateState None { get; } = new();

    /// <summary>The name of a product or category, the e-mail address of a user.</summary>
    public string Name { get; init; } = "";

    /// <summary>First and last name of a user.</summary>
    public string First { get; init; } = "";

    public string Last { get; init; } = "";

    /// <summary>A description, a comment or an address.</summary>
    public string Text { get; init; } = "";

    /// <summary>The price of a product, the total of an order.</summary>
    public decimal Amount { get; init; }

    public int Stock { get; init; }

    public int Rating { get; init; }

    public bool IsActive { get; init; }

    public string Status { get; init; } = "";

    public int CategoryId { get; init; }

    public int ProductId { get; init; }

    public int UserId { get; init; }

    public IReadOnlyList<Line> Lines { get; init; } = [];

    public bool IsFeatured { get; init; }

    /// <summary>The slug of a product.</summary>
    public string Slug { get; init; } = "";

    /// <summary>The phone number of a user.</summary>
    public string Phone { get; init; } = "";

    /// <summary>The tracking number of an order.</summary>
    public string Tracking { get; init; } = "";

    /// <summary>Whether a review is a verified purchase.</summary>
    public bool IsVerified { get; init; }

    /// <summary>The creation, or the date of an order. No time is in the digest.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>The last change of a product, or its creation.</summary>
    public DateTimeOffset Modified { get; init; }

    /// <summary>When an order was delivered.</summary>
    public DateTimeOffset? Delivered { get; init; }

    /// <summary>The last login of a user.</summary>
    public DateTimeOffset? LoggedIn { get; init; }

    /// <summary>Whether the person is replaced, as an erasure does in a user and in an order.</summary>
    [JsonIgnore]
    public bool IsErased =>
        Text == "Erased"
        || (First == "Erased" && Last == "Customer" && Name.EndsWith(Erased, StringComparison.Ordinal));

    /// <summary>Equal for equal values.</summary>
    [JsonIgnore]
    public long Digest => Hash.Of(string.Create(
        CultureInfo.InvariantCulture,
        $"{Name}|{First}|{Last}|{Text}|{Amount:0.00}|{Stock}|{Rating}|{IsActive}|{Status}|{CategoryId}|{ProductId}|"
        + $"{UserId}|{string.Join(';', Lines.Select(Print))}|{IsFeatured}|{Slug}|{Phone}|{Tracking}|{IsVerified}"));

    private static string Print(Line line) => string.Create(
        CultureInfo.InvariantCulture, $"{line.ProductId}*{line.Quantity}*{line.UnitPrice:0.00}");
}

/// <summary>A hash that is the same in every process.</summary>
internal static class Hash
{
    private const ulong Basis = 14695981039346656037;
    private const ulong Prime = 1099511628211;

    public static long Of(ReadOnlySpan<char> text)
    {
        var hash = Basis;
        foreach (var character in text) hash = (hash ^ character) * Prime;
        return (long)hash;
    }
}
