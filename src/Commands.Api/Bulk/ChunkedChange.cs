using System.Runtime.CompilerServices;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// At most <paramref name="Rows"/> rows with ids above <paramref name="After"/>, in the order of their ids.
/// </summary>
internal readonly record struct RowChunk(int After, int Rows);

/// <summary>
/// Changes any number of rows with statements that change a bounded number each. In the caller's transaction the whole
/// change commits or rolls back; without one each statement commits, and its changes stay.
/// </summary>
internal sealed class ChunkedChange(EventOutbox outbox, IOptions<LimitOptions> limits)
{
    /// <summary>
    /// Runs <paramref name="statement"/> for one chunk after another. It must change every row that it selects: a chunk
    /// with fewer rows than allowed is the last.
    /// </summary>
    public Task<int> ChangeAsync(string resource, Func<RowChunk, FormattableString> statement, CancellationToken ct) =>
        RunAsync(chunk => outbox.ChangeAsync(resource, statement(chunk), ct));

    /// <summary>The same for a deletion; the statement is a DELETE without RETURNING.</summary>
    public Task<int> DeleteAsync(
        string type, string resource, Func<RowChunk, FormattableString> statement, CancellationToken ct) =>
        RunAsync(chunk => outbox.DeleteAsync(type, resource, statement(chunk), ct));

    /// <summary>Deletes the rows with these ids, which the caller has locked.</summary>
    public async Task DeleteAsync(string type, string resource, int[] ids, CancellationToken ct)
    {
        var delete = $"DELETE FROM {ShopDbContext.Schema}.{resource} WHERE id = ANY ({{0}})";
        foreach (var some in ids.Chunk(limits.Value.ChunkRows))
        {
            await outbox.DeleteAsync(type, resource, FormattableStringFactory.Create(delete, [some]), ct);
        }
    }

    private async Task<int> RunAsync(Func<RowChunk, Task<StatementResult>> run)
    {
        var (total, chunk) = (0, new RowChunk(0, limits.Value.ChunkRows));
        while (true)
        {
            var result = await run(chunk);
            total += result.Changed;
            if (result.Changed < chunk.Rows || result.LastId is not { } last) return total;
            chunk = chunk with { After = last };
        }
    }
}
