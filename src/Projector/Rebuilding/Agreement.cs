using ApexShop.Events;
using ApexShop.Projector.Batches;
using ApexShop.Projector.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Rebuilding;

/// <summary>
/// What the new documents must be according to the log: how many of a kind live, and what their versions add up to.
/// Tables that say something else are never exchanged.
/// </summary>
internal sealed class Agreement
{
    private readonly Dictionary<string, Dictionary<int, (long Version, bool Lives)>> versions =
        Resource.Names.ToDictionary(resource => resource, _ => new Dictionary<int, (long, bool)>());

    public static Agreement With(LogEnds ends)
    {
        var agreement = new Agreement();
        foreach (var resource in Resource.Names)
        {
            foreach (var reading in ends.Of(resource).Values) agreement.Add(reading);
        }

        return agreement;
    }

    /// <summary>The version is never an earlier one: events may come again.</summary>
    public void Add(Reading reading)
    {
        if (reading.Change is not { State: var state } || !(versions[reading.Entry.Resource].GetValueOrDefault(state.Id).Version < state.Version)) return;
        versions[reading.Entry.Resource][state.Id] = (state.Version, state is not DeletedState);
    }

    /// <exception cref="RebuildException">They do not agree.</exception>
    public async Task CheckAsync(NpgsqlConnection connection, IReadOnlySet<(string Resource, int Id)> parked, CancellationToken ct)
    {
        foreach (var (resource, aggregates) in versions)
        {
            int[] without = [.. parked.Where(one => one.Resource == resource).Select(one => one.Id)];
            var counted = aggregates.Where(one => !parked.Contains((resource, one.Key))).Select(one => one.Value).ToList();
            var (lives, sum) = await CountAsync(connection, resource, without, ct);
            var (logLives, logSum) = (counted.LongCount(one => one.Lives), counted.Sum(one => one.Version));
            if ((lives, sum) == (logLives, logSum)) continue;
            throw new RebuildException(
                $"The new {resource} do not agree with the event log: {lives} documents whose versions add up to {sum}, and not {logLives} and {logSum}.");
        }
    }

    private static async Task<(long Lives, decimal Sum)> CountAsync(
        NpgsqlConnection connection, string resource, int[] without, CancellationToken ct)
    {
        var found = (0L, 0m);
        var round = new Round(connection);
        round.Add(
            $"SELECT count(*) FILTER (WHERE NOT is_deleted), coalesce(sum(version), 0) FROM {RebuiltTables.Next}.{resource} WHERE id <> ALL($1)",
            row => found = (row.GetInt64(0), row.GetDecimal(1)),
            Round.Parameter(without));
        await round.RunAsync(ct);
        return found;
    }
}
