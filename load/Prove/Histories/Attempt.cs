using System.Text.Json.Serialization;

namespace ApexShop.Prove.Histories;

/// <summary>What a client knows about a request after it has ended.</summary>
internal enum Outcome
{
    /// <summary>The response reports success.</summary>
    Acknowledged,

    /// <summary>The response reports that nothing was done.</summary>
    Refused,

    /// <summary>No response, or one that leaves open whether the command was executed.</summary>
    Unknown,
}

/// <summary>A version of an aggregate that a response names.</summary>
internal readonly record struct Saved(string Resource, int Id, long Version)
{
    /// <summary>In place of the version that an erasure gives a user, which its response does not name.</summary>
    public const long Erasure = -1;
}

/// <summary>An aggregate in the response to a read; version 0 is an absent document.</summary>
internal readonly record struct Sight(int Id, long Version, long Digest);

/// <summary>A product of an order.</summary>
internal readonly record struct Line(int ProductId, int Quantity, decimal UnitPrice);

/// <summary>One request of a client: what it sent, when, and what it received.</summary>
internal sealed record Attempt
{
    public int Client { get; init; }

    public int Number { get; init; }

    /// <summary>A name of <see cref="Operation.All"/>.</summary>
    public string Operation { get; init; } = "";

    public string Process { get; init; } = "";

    public string Path { get; init; } = "";

    /// <summary>The trace id that the request carried; its events have it as <c>correlationid</c>.</summary>
    public string Trace { get; init; } = "";

    /// <summary>Microseconds since the run began.</summary>
    public long Start { get; init; }

    public long End { get; init; }

    public Outcome Outcome { get; init; }

    public int Status { get; init; }

    public string? Code { get; init; }

    /// <summary>The Idempotency-Key.</summary>
    public string? Key { get; init; }

    /// <summary>The JSON that a command sent; null for a read.</summary>
    public string? Sent { get; init; }

    /// <summary>The digest of the request, by which repetitions of a key are compared.</summary>
    public long Body { get; init; }

    /// <summary>The digest of the response without its trace id.</summary>
    public long Answer { get; init; }

    public bool Replayed { get; init; }

    public long? IfMatch { get; init; }

    /// <summary>The current version that a refusal by version names.</summary>
    public long? Current { get; init; }

    /// <summary>The number of items that were sent.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public int Count { get; init; } = 1;

    /// <summary>Whether every item differs from what it replaces, so that an accepted request has events.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public bool Changes { get; init; } = true;

    /// <summary>How many rows a set-based command reports.</summary>
    public int? Counted { get; init; }

    /// <summary>The stock that the request sets.</summary>
    public int? Stock { get; init; }

    /// <summary>What the request adds to the stock.</summary>
    public int? Delta { get; init; }

    /// <summary>The customer whose token the request has, or whom it logs in.</summary>
    public int? Customer { get; init; }

    /// <summary>The customer whom the response to a login names.</summary>
    public int? LoggedIn { get; init; }

    /// <summary>Whether a login has another password than that of the user.</summary>
    public bool HasWrongPassword { get; init; }

    /// <summary>Whether there are more changes after those of the response.</summary>
    public bool HasMore { get; init; }

    /// <summary>
    /// Of a numbered page: how many documents and pages there are, and the size of a page. Of facets: how many products
    /// there are, and their sum by each facet.
    /// </summary>
    public IReadOnlyList<long> Totals { get; init; } = [];

    /// <summary>The suggestions of a response.</summary>
    public IReadOnlyList<string> Texts { get; init; } = [];

    /// <summary>The ids that the request names.</summary>
    public IReadOnlyList<int> Asked { get; init; } = [];

    public IReadOnlyList<Saved> Saved { get; init; } = [];

    /// <summary>The changes whose Consistency-Tokens a read sent.</summary>
    public IReadOnlyList<Saved> Tokens { get; init; } = [];

    public IReadOnlyList<Sight> Seen { get; init; } = [];

    public override string ToString() => string.Create(
        System.Globalization.CultureInfo.InvariantCulture,
        $"client {Client} request {Number} ({Operation}, {Process}, {Outcome} {Status}, trace {Trace})");
}
