namespace ApexShop.Client;

/// <summary>
/// The body of a refusal (RFC 9457). <see cref="Code"/> never changes its meaning; the members without a default are in
/// every refusal, the others in those that they explain.
/// </summary>
public sealed record ShopProblem(string Type, string Title, int Status, string Code, string TraceId)
{
    private static readonly Dictionary<string, IReadOnlyList<string>> none = [];

    /// <summary>A text for people, which may change at any time.</summary>
    public string? Detail { get; init; }

    /// <summary>What is wrong with each field, by JSON path, or with each parameter, by its name.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>> Errors { get => field ?? none; init; }

    /// <summary>The current version, where another one was expected.</summary>
    public long? Version { get; init; }

    public int? Stock { get; init; }

    /// <summary>The limit that the request exceeds.</summary>
    public int? Limit { get; init; }

    public IReadOnlyList<string>? MissingScopes { get; init; }

    /// <summary>What prevents a deletion.</summary>
    public BlockingReference? BlockedBy { get; init; }

    /// <summary>The products that have less stock than requested.</summary>
    public IReadOnlyList<RefusedProduct>? Products { get; init; }

    /// <summary>The current versions of the items of a list.</summary>
    public IReadOnlyList<Saved>? Current { get; init; }
}

/// <summary>The rows of a resource that refer to what was to be deleted; for a list, by its items.</summary>
public sealed record BlockingReference(string Resource, IReadOnlyList<int>? Ids, IReadOnlyList<BlockedItem>? Items);

/// <summary>An item that was to be deleted, and the rows that refer to it.</summary>
public sealed record BlockedItem(int Id, IReadOnlyList<int> Ids);

/// <summary>A product whose stock does not permit a command.</summary>
public sealed record RefusedProduct(int Id, string? Name, int Stock, long? Quantity);
