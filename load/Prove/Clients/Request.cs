using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>A request as the plan of a client makes it, before it is sent.</summary>
internal sealed record Request(string Operation, HttpMethod Method, string Path, object? Body = null)
{
    /// <summary>Whether the request is sent with an Idempotency-Key.</summary>
    public bool IsKeyed { get; init; }

    public long? IfMatch { get; init; }

    public int Count { get; init; } = 1;

    public bool Changes { get; init; } = true;

    public int? Stock { get; init; }

    public int? Delta { get; init; }

    public IReadOnlyList<int> Asked { get; init; } = [];

    /// <summary>The aggregates whose Consistency-Tokens a read sends.</summary>
    public IReadOnlyList<KnownAggregate> Tokens { get; init; } = [];

    /// <summary>The status that an order has when the request is accepted.</summary>
    public string? Status { get; init; }
}

/// <summary>An aggregate as a client knows it from the responses that it received.</summary>
internal sealed class KnownAggregate(string resource, int id)
{
    public string Resource => resource;

    public int Id => id;

    /// <summary>The last version that a response named; 0 after the deletion.</summary>
    public long Version { get; set; }

    /// <summary>The token of the last change by this client.</summary>
    public string? Token { get; set; }

    /// <summary>The status of an order.</summary>
    public string Status { get; set; } = "Pending";

    /// <summary>Other clients use it too, so it is not deleted.</summary>
    public bool IsShared { get; init; }

    public Saved Promise => new(Resource, Id, Version);
}
