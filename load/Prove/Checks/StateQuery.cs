using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>The states that aggregates may have had at some moment of a time.</summary>
internal sealed record StateQuery(VersionTimes Times, long From, long Until)
{
    /// <summary>Whether a state may have fulfilled a condition; the state of what does not exist is null.</summary>
    public bool Any(string resource, int id, Func<AggregateState?, bool> condition) =>
        Times.In(resource, id, From, Until).Any(time => condition(time.State));

    public bool AnyVersion(string resource, int id, Func<long, bool> condition) =>
        Times.In(resource, id, From, Until).Any(time => time.State is null || condition(time.Event!.Version));

    public bool IsAbsent(string resource, int id) => Any(resource, id, state => state is null);

    /// <summary>The same of the aggregate that an item names.</summary>
    public bool IsAbsent(string resource, JsonElement item, string member) =>
        item.TryGetProperty(member, out var id) && id.ValueKind == JsonValueKind.Number
        && IsAbsent(resource, id.GetInt32());
}
