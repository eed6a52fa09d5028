using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Operations.Parking;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// After tables were exchanged, raises the cache tags, and heals what is parked in those in use and was not parked in
/// those before, because queries have shown later documents of it: a rebuild had applied its last event, or it was
/// healed or discarded while a rebuild ran. The tables are exchanged whatever happens here.
/// </summary>
internal sealed class ExchangeHealer(
    NpgsqlDataSource database, TagRaiser tags, AggregateHealer healer, ILogger<ExchangeHealer> logger)
{
    // A rebuild for another log has dropped them.
    private const string HasPreviousSql =
        $"SELECT to_regclass('{RebuiltTables.Previous}.parked_events') IS NOT NULL";

    private const string OnlyNowSql = $"""
        SELECT DISTINCT resource, aggregate_id FROM {ReadTables.ParkedEvents} AS now
        WHERE NOT EXISTS (
            SELECT FROM {RebuiltTables.Previous}.parked_events AS before
            WHERE before.resource = now.resource AND before.aggregate_id = now.aggregate_id)
        """;

    private const string CountSql =
        $"SELECT count(DISTINCT (resource, aggregate_id))::integer FROM {ReadTables.ParkedEvents}";

    /// <summary>
    /// Before the outcome is stored or sent: a client that has read it finds no response of the other tables in a
    /// cache. Returns how many aggregates are still parked; null when that is not known.
    /// </summary>
    public async Task<int?> TryRunAsync(CancellationToken ct)
    {
        await TryRaiseTagsAsync(ct);
        try
        {
            foreach (var ids in (await OnlyNowAsync(ct)).GroupBy(one => one.Resource, one => one.Id))
            {
                foreach (var some in AggregateHealer.PartsOf(ids.Key, ids)) await healer.HealAsync(ids.Key, some, ct);
            }

            await using var count = database.CreateCommand(CountSql);
            return (int)(await count.ExecuteScalarAsync(ct))!;
        }
        catch (Exception exception)
        {
            logger.ExchangedNotHealed(exception.Message);
            return null;
        }
    }

    // Tags that are not raised are kept in the database.
    private async Task TryRaiseTagsAsync(CancellationToken ct)
    {
        try
        {
            await tags.RaiseStoredAsync(ct);
        }
        catch (Exception exception)
        {
            logger.TagsNotRaised(exception.Message);
        }
    }

    private async Task<List<(string Resource, int Id)>> OnlyNowAsync(CancellationToken ct)
    {
        var found = new List<(string, int)>();
        await using var asking = database.CreateCommand(HasPreviousSql);
        if (!(bool)(await asking.ExecuteScalarAsync(ct))!) return found;
        await using var command = database.CreateCommand(OnlyNowSql);
        await using var row = await command.ExecuteReaderAsync(ct);
        while (await row.ReadAsync(ct)) found.Add((row.GetString(0), row.GetInt32(1)));
        return found;
    }
}
