using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Faults;

/// <summary>
/// What a fault uses: the shop, its operator's key, the random numbers of the schedule, and where it reports what an
/// operator's command was answered.
/// </summary>
internal sealed record FaultContext(
    IShopControl Control, Clients.ShopAddresses Shop, Random Random, Action<OperatorReply> Report)
{
    /// <summary>One of the processes or servers of a kind.</summary>
    public string One(string kind)
    {
        var names = Of(kind);
        return names[Random.Next(names.Count)];
    }

    public IReadOnlyList<string> Of(string kind) =>
        [.. Control.Names.Where(name => name == kind || name.StartsWith($"{kind}-", StringComparison.Ordinal))];
}

/// <summary>A disturbance with a name; when it ends, every process runs again.</summary>
internal sealed record Fault(
    string Name, string Text, Func<IShopControl, bool> IsPossible, Func<FaultContext, Task> InjectAsync)
{
    /// <summary>All faults, in the order of their list.</summary>
    public static IReadOnlyList<Fault> All { get; } =
    [
        .. ProcessFaults.All.Concat(MachineFaults.All).Select(fault => fault with { IsExclusive = true }),
        .. DatabaseFaults.All, .. BrokerFaults.All, .. CacheFaults.All, .. OperatorFaults.All,
    ];

    /// <summary>
    /// Whether it ends or stops processes, or undoes on a server what it has done there: no other such fault may be
    /// injected at the same time.
    /// </summary>
    public bool IsExclusive { get; init; }

    /// <summary>
    /// Lists of faults that are injected at the same time, separated by <c>+</c>, such as <c>kill-+redis-,lock-</c>.
    /// </summary>
    /// <exception cref="ArgumentException">
    /// A word that no fault begins with, or two lists with exclusive faults.
    /// </exception>
    public static IReadOnlyList<IReadOnlyList<Fault>> Lists(string text)
    {
        List<IReadOnlyList<Fault>> lists = [.. text.Split('+').Select(Selected)];
        return lists.Count(list => list.Any(fault => fault.IsExclusive)) <= 1
            ? lists
            : throw new ArgumentException(
                "Only one of several lists may have faults of processes and machines, redis-full and unbind-queue.");
    }

    /// <summary>The faults of a list such as <c>kill-,redis-flush</c>: names, or their beginnings.</summary>
    /// <exception cref="ArgumentException">A word that no fault begins with.</exception>
    public static IReadOnlyList<Fault> Selected(string list)
    {
        if (list == "all") return All;
        if (list == "none") return [];
        var words = list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        foreach (var word in words.Where(word => !All.Any(fault => IsNamed(fault, word))))
            throw new ArgumentException($"There is no fault '{word}'; --faults help lists them.");
        return [.. All.Where(fault => words.Any(word => IsNamed(fault, word)))];
    }

    private static bool IsNamed(Fault fault, string word) => fault.Name.StartsWith(word, StringComparison.Ordinal);
}
