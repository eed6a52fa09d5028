using System.Buffers.Text;
using System.Globalization;
using System.Text;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// How many documents a list holds. The projector keeps the totals of whole collections and of categories; any other
/// is counted, by few connections and for a limited time.
/// </summary>
internal sealed class DocumentCounts(ReadDatabase database, AnswerCache cache)
{
    public async Task<long> CountAsync(ListQuery list, bool isFresh, CancellationToken ct)
    {
        if (list.Ruler() is { } kept) return await ReadAsync(database.Pages, Kept(kept.Ruler, kept.Key), ct);

        var question = new Question($"{list.Identity()} count", list.Tags())
        {
            IsPublic = list.Resource.Scope is null,
            IsFresh = isFresh,
            IsCount = true,
        };
        var answer = await cache.ReadPartAsync(question, token => CountAsync(list, token), ct);
        return Utf8Parser.TryParse(answer.Body.Span, out long count, out _)
            ? count
            : throw new InvalidOperationException("A kept count is no number.");
    }

    private async Task<Answer> CountAsync(ListQuery list, CancellationToken ct)
    {
        var command = ListReader.Command(ListSql.Count(list), list, Start.Beginning);
        var count = await ReadAsync(database.Searches, command, ct);
        return new Answer(Encoding.UTF8.GetBytes(count.ToString(CultureInfo.InvariantCulture)), "");
    }

    private static async Task<long> ReadAsync(NpgsqlDataSource source, NpgsqlBatchCommand command, CancellationToken ct)
    {
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(command);
        return (long)(await batch.ExecuteScalarAsync(ct))!;
    }

    private static NpgsqlBatchCommand Kept(Ruler ruler, object key)
    {
        var command = new NpgsqlBatchCommand($"SELECT coalesce(sum({ruler.Count}), 0) FROM {ruler.Table} WHERE {ruler.Key} = $1");
        command.Parameters.Add(ruler.Kind.Parameter(key));
        return command;
    }
}
