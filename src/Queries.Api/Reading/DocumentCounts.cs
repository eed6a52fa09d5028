using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// How many documents a list holds. The projector keeps the totals of whole collections and of categories; any other
/// is counted, by few connections and for a limited time.
/// </summary>
internal sealed class DocumentCounts(ReadDatabase database)
{
    public async Task<long> CountAsync(ListQuery list, CancellationToken ct)
    {
        var kept = list.Ruler();
        await using var batch = (kept is null ? database.Searches : database.Pages).CreateBatch();
        batch.BatchCommands.Add(
            kept is { } total ? Kept(total.Ruler, total.Key) : ListReader.Command(ListSql.Count(list), list, Start.Beginning));
        return (long)(await batch.ExecuteScalarAsync(ct))!;
    }

    private static NpgsqlBatchCommand Kept(Ruler ruler, object key)
    {
        var command = new NpgsqlBatchCommand($"SELECT coalesce(sum({ruler.Count}), 0) FROM {ruler.Table} WHERE {ruler.Key} = $1");
        command.Parameters.Add(ruler.Kind.Parameter(key));
        return command;
    }
}
