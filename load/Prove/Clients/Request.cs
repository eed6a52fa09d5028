using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>A request as the plan of a client makes it, before it is sent.</summary>
internal sealed record Request(string Operation, HttpMethod Method, string Path, object? Body = null)
{
    /// <summary>Whether the request is sent with an Idempotency-Key.</summary>
    public bool IsKeyed { get; init; }

    /// <summary>The same with an Idempotency-Key, where the method takes one.</summary>
    public Request Keyed => this with { IsKeyed = Method == HttpMethod.Post || Method == HttpMethod.Patch };

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

    /// <summary>The customer whose token the request is sent with.</summary>
    public KnownCustomer? Customer { get; init; }

    /// <summary>The customer of a new order, the product of a new review.</summary>
    public int? Parent { get; init; }

    public string? Slug { get; init; }

    /// <summary>The e-mail address that a user has when the request is accepted.</summary>
    public string? Email { get; init; }

    /// <summary>Whether a login has another password than that of the user.</summary>
    public bool HasWrongPassword { get; init; }
}

/// <summary>An aggregate as a client knows it from the responses that it received.</summary>
internal sealed class KnownAggregate(string resource, int id)
{
    private bool hasDoubtfulEmail;

    public string Resource => resource;

    public int Id => id;

    /// <summary>The last version that a response named; 0 after the deletion.</summary>
    public long Version { get; set; }

    /// <summary>The token of the last change by this client.</summary>
    public string? Token { get; set; }

    /// <summary>The status of an order.</summary>
    public string Status { get; set; } = "Pending";

    /// <summary>Whether an order is to be delivered.</summary>
    public bool IsOpen => Status is not ("Delivered" or "Cancelled");

    /// <summary>Other clients use it too, so it is not deleted.</summary>
    public bool IsShared { get; init; }

    /// <summary>The customer of an order, the product of a review; neither changes.</summary>
    public int? Parent { get; init; }

    /// <summary>The slug of a product, which every replacement has too.</summary>
    public string? Slug { get; init; }

    /// <summary>The e-mail address of a user, null when it is uncertain.</summary>
    public string? Email { get => hasDoubtfulEmail ? null : field; set; }

    public bool IsErased { get; set; }

    /// <summary>A command without an answer may still change the address, also after later ones.</summary>
    public void DoubtEmail() => hasDoubtfulEmail = true;

    public Saved Promise => new(Resource, Id, IsErased ? Saved.Erasure : Version);
}

/// <summary>A customer with the token of a login.</summary>
internal sealed record KnownCustomer(int Id, string Bearer);
