using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>
/// The commands that select rows by a condition: what they changed has fulfilled it, and what certainly fulfilled it
/// while they were executed was changed.
/// </summary>
internal static class SelectCheck
{
    // The clocks of the checker and of the shop.
    private static readonly TimeSpan tolerance = TimeSpan.FromMinutes(1);

    public static IEnumerable<string> Find(History history)
    {
        var commands = history.Units
            .Where(unit => History.OperationOf(unit.First).Effect == Effect.Select)
            .Select(unit => new SelectCommand(history, unit)).ToList();
        if (commands.Count == 0) return [];
        var orders = OrdersByUser(history);
        return
        [
            .. from command in commands
               from one in command.Events
               let wrong = WrongIn(history, command, one, orders)
               where wrong is not null
               select $"{command.Unit.First} has {one}, {wrong}",
            .. commands.Where(command => command.IsKnown).GroupBy(command => command.Selection.Resource)
                .SelectMany(same => LeftOut(history, same.Key, [.. same], orders)),
        ];
    }

    private static ILookup<int, VersionTime> OrdersByUser(History history) => history.Times.All
        .Where(time => time.Event is { Resource: Kinds.Orders, Kind: EventKind.Created })
        .ToLookup(time => time.Event!.State.UserId);

    private static string? WrongIn(
        History history, SelectCommand command, LogEvent one, ILookup<int, VersionTime> orders)
    {
        if (history.EventAt(new(one.Resource, one.Aggregate, one.Version - 1)) is not { } before) return null;
        if (HasNoLogin(history, before)) return null;
        var selection = command.Selection;
        if (!selection.Selects(before.State)) return "whose aggregate did not fulfil the condition";
        if (selection.DateOf(before.State) >= command.Cutoff(command.Until, tolerance))
            return "whose aggregate was not that old";
        if (!selection.IsResult(before.State, one)) return "which changes more than the condition is for";
        var recent = one.Resource == Kinds.Users
            ? orders[one.Aggregate].Where(order =>
                order.Event!.State.Created >= command.Cutoff(command.Until, tolerance)
                && order.Latest < command.From && IsKept(history, order.Event, command)).Take(1)
            : [];
        return recent.Any() ? $"whose user has order {recent.First().Event!.Aggregate}" : null;
    }

    // The log has no login of a person who was erased.
    private static bool HasNoLogin(History history, LogEvent one) =>
        one.Resource == Kinds.Users && history.IsRewritten(one);

    private static bool IsKept(History history, LogEvent order, SelectCommand command) =>
        history.Times.Of(Kinds.Orders, order.Aggregate)[^1] is var last
        && (last.State is not null || last.Earliest > command.Until);

    /// <summary>Follows the certain versions of a resource and its commands in the order of their times.</summary>
    private static IEnumerable<string> LeftOut(
        History history, string resource, List<SelectCommand> commands, ILookup<int, VersionTime> orders)
    {
        var versions = history.Times.All.Where(time => time.Event?.Resource == resource
                && time.State is not null && time.Latest < time.Next && !HasNoLogin(history, time.Event))
            .OrderBy(time => time.Latest).ToList();
        var known = new Dictionary<int, SortedSet<(DateTimeOffset Date, int Id, long Version, long Next)>>();
        var added = 0;
        foreach (var command in commands.OrderBy(command => command.From))
        {
            var selection = command.Selection;
            for (; added < versions.Count && versions[added].Latest < command.From; added++)
            {
                var (one, state) = (versions[added].Event!, versions[added].State!);
                if (selection.KeyOf(state) is not { } key) continue;
                if (!known.TryGetValue(key, out var set)) known[key] = set = [];
                set.Add((selection.DateOf(state), one.Aggregate, one.Version, versions[added].Next));
            }

            if (!known.TryGetValue(selection.Key, out var candidates)) continue;
            var cutoff = command.Cutoff(command.From, -tolerance);
            var old = candidates.TakeWhile(one => one.Date < cutoff).ToList();
            foreach (var one in old.Where(one => one.Next <= command.From)) candidates.Remove(one);
            foreach (var (_, id, version, _) in old.Where(one => one.Next > command.Until))
            {
                var left = history.EventAt(new(resource, id, version))!;
                if (selection.Changes(left.State) && !orders[id].Any(order => IsOfUser(order, resource, cutoff)))
                    yield return $"{command.Unit.First} left out {left}, which fulfilled its condition";
            }
        }
    }

    private static bool IsOfUser(VersionTime order, string resource, DateTimeOffset cutoff) =>
        resource == Kinds.Users && order.Event!.State.Created >= cutoff;
}
