using System.Runtime.CompilerServices;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>The next rows of a set-based change: at most <paramref name="Rows"/>, in the order of their ids, beyond <paramref name="After"/>.</summary>
internal readonly record struct Chunk(int After, int Rows);

/// <summary>
/// Changes as many rows as there are by the set, a bounded number in each statement. In the caller's transaction the
/// whole change stands or falls; without one each statement commits by itself, and what was done stays done.
/// </summary>
internal sealed class ChunkedChange(EventOutbox outbox, IOptions<LimitOptions> limits)
{
    /// <summary>
    /// Runs <paramref name="statement"/> for one chunk after another. It must change every row that it selects: fewer
    /// than the chunk may hold were the last.
    /// </summary>
    public async Task<int> ChangeAsync(string type, string resource, Func<Chunk, FormattableString> statement, CancellationToken ct)
    {
        var (total, chunk) = (0, new Chunk(0, limits.Value.ChunkRows));
        while (true)
        {
            var done = await outbox.ChangeChunkAsync(type, resource, statement(chunk), ct);
            total += done.Changed;
            if (done.Changed < chunk.Rows || done.LastId is not { } last) return total;
            chunk = chunk with { After = last };
        }
    }

    /// <summary>The same for a deletion; the statement is a DELETE without its RETURNING.</summary>
    public Task<int> DeleteAsync(string type, string resource, Func<Chunk, FormattableString> statement, CancellationToken ct) =>
        ChangeAsync(type, resource, chunk => EventOutbox.Returning(statement(chunk)), ct);

    /// <summary>Deletes the rows with these ids, which the caller has locked.</summary>
    public async Task DeleteAsync(string type, string resource, int[] ids, CancellationToken ct)
    {
        var delete = $"DELETE FROM {ShopDbContext.Schema}.{resource} WHERE id = ANY ({{0}})";
        foreach (var some in ids.Chunk(limits.Value.ChunkRows))
        {
            await outbox.DeleteAsync(type, resource, FormattableStringFactory.Create(delete, [some]), ct);
        }
    }
}
