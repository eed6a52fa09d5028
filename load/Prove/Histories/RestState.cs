namespace ApexShop.Prove.Histories;

/// <summary>A document at rest: its version, the digest of its own values, and its derived values as text.</summary>
internal readonly record struct RestDocument(int Id, long Version, long Digest, string Derived);

/// <summary>
/// All documents of a resource as one way of reading returned them. <paramref name="Deleted"/> is null for a way that
/// returns no tombstones, <paramref name="Total"/> for one that does not count, <paramref name="Query"/> for one that
/// returns all documents.
/// </summary>
internal sealed record RestView(
    string Source,
    string Resource,
    IReadOnlyList<RestDocument> Documents,
    IReadOnlyList<int>? Deleted,
    long? Total = null,
    string? Query = null);

/// <summary>How many products of a category the facets counted.</summary>
internal sealed record RestFacet(string Source, int CategoryId, long Count);

/// <summary>
/// The positions of the events that a consumer applied, in its order, and the digests of these events as it received
/// them; none in a history of an earlier release.
/// </summary>
internal sealed record Consumed(
    string Source, IReadOnlyList<long> Positions, string? Resource = null, IReadOnlyList<long>? Digests = null)
{
    /// <summary>The events that no message had, and that were read from the log.</summary>
    public int Filled { get; init; }

    public static Consumed Of(string source, IReadOnlyList<LogEvent> events, string? resource = null) => new(
        source, [.. events.Select(one => one.Position)], resource, [.. events.Select(one => one.Digest)]);
}

/// <summary>The summary of an audit: documents against tables.</summary>
internal sealed record AuditResult(long Compared, long Different, long NotCompared);

/// <summary>What was read after the last event had been applied.</summary>
internal sealed record RestState
{
    public IReadOnlyList<RestView> Views { get; init; } = [];

    public IReadOnlyList<Consumed> Consumers { get; init; } = [];

    public IReadOnlyList<RestFacet> Facets { get; init; } = [];

    /// <summary>The documents with which the lists are compared; none in a history of an earlier release.</summary>
    public IReadOnlyList<SourceDocument> Documents { get; init; } = [];

    public IReadOnlyList<RestList> Lists { get; init; } = [];

    public IReadOnlyList<FacetList> FacetLists { get; init; } = [];

    public AuditResult? Audit { get; init; }
}

/// <summary>
/// What replays a run. <paramref name="Exclusive"/>: only the clients of the run changed the shop after
/// <paramref name="Base"/>, the position of the log at the start.
/// </summary>
internal sealed record RunHeader(
    int Seed,
    int Clients,
    double Seconds,
    string Faults,
    long Base,
    bool Exclusive,
    int FaultsDone,
    IReadOnlyList<InjectedFault>? Injected = null,
    IReadOnlyList<OperatorReply>? Operated = null)
{
    /// <summary>The digests of this release; those of another one cannot be compared.</summary>
    public const int Current = 2;

    public int Format { get; init; }

    /// <summary>The time at which the run began, by the clock of the checker.</summary>
    public DateTimeOffset? Began { get; init; }

    /// <summary>Why the run ended before its end; its history is not complete.</summary>
    public string? Failure { get; init; }
}

/// <summary>A fault that was injected; start and end in microseconds since the run began.</summary>
internal sealed record InjectedFault(string Name, long Start, long End);
