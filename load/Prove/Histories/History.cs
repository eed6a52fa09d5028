namespace ApexShop.Prove.Histories;

/// <summary>Everything that a run has recorded, with the indexes that the checks use.</summary>
internal sealed class History
{
    private const int NotFound = 404;

    private readonly Lazy<ILookup<string, LogEvent>> byTrace;
    private readonly Lazy<Dictionary<string, Attempt>> attemptOf;
    private readonly Lazy<Dictionary<Saved, LogEvent>> byVersion;
    private readonly Lazy<Dictionary<(string, int), LogEvent>> last;
    private readonly Lazy<List<CommandUnit>> units;
    private readonly Lazy<Dictionary<int, LogEvent>> erasures;
    private readonly Lazy<HashSet<int>> persons;
    private readonly Lazy<VersionTimes> times;

    public History(
        RunHeader header, IReadOnlyList<Attempt> attempts, IReadOnlyList<LogEvent> log, RestState rest)
    {
        (Header, Attempts, Log, Rest) = (header, attempts, log, rest);
        byTrace = new(() => Log.ToLookup(one => one.Trace));
        attemptOf = new(() => Writes.GroupBy(one => one.Trace).ToDictionary(same => same.Key, same => same.First()));
        byVersion = new(() => Index(Log, one => new Saved(one.Resource, one.Aggregate, one.Version)));
        last = new(() => Index(Log, one => (one.Resource, one.Aggregate)));
        units = new(() => CommandUnit.Of(this));
        erasures = new(() => Index([.. Log.Where(one => one.IsErasure)], one => one.Aggregate));
        times = new(() => new(this));
        persons = new(() => [.. ErasuresWhere(attempt => attempt.Status != NotFound)]);
    }

    public RunHeader Header { get; }

    public IReadOnlyList<Attempt> Attempts { get; }

    public IReadOnlyList<LogEvent> Log { get; }

    public RestState Rest { get; }

    public IEnumerable<Attempt> Writes => Attempts.Where(attempt => !OperationOf(attempt).IsRead);

    public IEnumerable<Attempt> Reads => Attempts.Where(attempt => OperationOf(attempt).IsRead);

    /// <summary>The commands: an attempt alone, or all attempts with one Idempotency-Key.</summary>
    public IReadOnlyList<CommandUnit> Units => units.Value;

    /// <summary>When the aggregates had their versions.</summary>
    public VersionTimes Times => times.Value;

    public static Operation OperationOf(Attempt attempt) => Operation.All[attempt.Operation];

    public IEnumerable<LogEvent> EventsOf(string trace) => byTrace.Value[trace];

    /// <summary>The events of an attempt that are of the resource it changes.</summary>
    public IEnumerable<LogEvent> OwnEventsOf(Attempt attempt)
    {
        var resource = OperationOf(attempt).Resource;
        return EventsOf(attempt.Trace).Where(one => one.Resource == resource);
    }

    public Attempt? AttemptOf(string trace) => attemptOf.Value.GetValueOrDefault(trace);

    public LogEvent? EventAt(Saved version) => byVersion.Value.GetValueOrDefault(version);

    /// <summary>The event with which a user was erased.</summary>
    public LogEvent? ErasureOf(int user) => erasures.Value.GetValueOrDefault(user);

    /// <summary>The version that a read with this token must show at least; the token of an erasure has none.</summary>
    public long LeastVersionOf(Saved token) =>
        token.Version == Saved.Erasure ? ErasureOf(token.Id)?.Version ?? 1 : token.Version;

    /// <summary>The users whose erasure was requested, and whose outcome fulfils a condition.</summary>
    public IEnumerable<int> ErasuresWhere(Func<Attempt, bool> condition) =>
        from attempt in Writes
        where OperationOf(attempt).Effect == Effect.Erase && condition(attempt)
        select attempt.Asked[0];

    /// <summary>Whether the values of an event may have been other ones before an erasure replaced them.</summary>
    public bool IsRewritten(LogEvent one) =>
        one.State.IsErased && PersonOf(one) is { } person && persons.Value.Contains(person);

    /// <summary>The user whom an event has values of.</summary>
    public static int? PersonOf(LogEvent one) => one.Resource switch
    {
        Kinds.Users => one.Aggregate,
        Kinds.Orders => one.State.UserId,
        _ => null,
    };

    public LogEvent? LastOf(string resource, int id) => last.Value.GetValueOrDefault((resource, id));

    /// <summary>The last event of every aggregate of a resource.</summary>
    public IEnumerable<LogEvent> LastEvents => last.Value.Values;

    private static Dictionary<TKey, LogEvent> Index<TKey>(IReadOnlyList<LogEvent> log, Func<LogEvent, TKey> key)
        where TKey : notnull
    {
        var index = new Dictionary<TKey, LogEvent>(log.Count);
        foreach (var one in log) index[key(one)] = one;
        return index;
    }
}
